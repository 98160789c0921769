// Where our own small programs are found (grep, ps, sleep, mkfifo). A person's PATH may lead into the project.

/** The last one is NixOS's. */
export const SYSTEM_PATH = "/usr/bin:/bin:/usr/sbin:/sbin:/run/current-system/sw/bin";
