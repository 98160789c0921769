// Runs the file tools on files and folders without permission, and prints what the model would read as JSON. It is a
// separate program that the test starts as the user nobody, because root may do anything.
import { chmod, mkdir } from "node:fs/promises";
import { createFileTools } from "./file-tools.ts";

await using project = await createFileTools();
await project.put("secret.txt", "x\n");
await project.put("readonly.txt", "x\n");
await project.put("closed/file.txt", "x\n");
await project.put("fixed/file.txt", "old\n");
await mkdir(project.path("locked"));
await project.read({ filepath: "readonly.txt" });
await project.read({ filepath: "fixed/file.txt" });
await chmod(project.path("secret.txt"), 0o000);
await chmod(project.path("readonly.txt"), 0o444);
await chmod(project.path("closed"), 0o000);
await chmod(project.path("fixed"), 0o555);
await chmod(project.path("locked"), 0o555);

const outcomes = {
  readSecret: await project.read({ filepath: "secret.txt" }),
  readClosed: await project.read({ filepath: "closed/file.txt" }),
  updateSecret: await project.update({ filepath: "secret.txt", old_text: "x", new_text: "y" }),
  writeSecret: await project.write({ filepath: "secret.txt", content: "y" }),
  updateReadonly: await project.update({ filepath: "readonly.txt", old_text: "x", new_text: "y" }),
  writeReadonly: await project.write({ filepath: "readonly.txt", content: "y" }),
  createInLocked: await project.write({ filepath: "locked/new.txt", content: "y" }),
  replaceInFixed: await project.update({ filepath: "fixed/file.txt", old_text: "old", new_text: "new" }),
  contentInFixed: (await project.bytes("fixed/file.txt")).toString(),
  contentReadonly: (await project.bytes("readonly.txt")).toString(),
};
for (const folder of ["closed", "fixed", "locked"]) await chmod(project.path(folder), 0o755);
console.log(JSON.stringify(outcomes));
