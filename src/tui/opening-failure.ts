// Why no session could be opened, as the error that ends the app. A bug stays one: whoever prints it then says so.
import { TunacodeError } from "../domain/error.ts";
import type { FrontEvent } from "../front/contract.ts";

export function openingFailure({ code, message }: Extract<FrontEvent, { type: "open-failed" }>): Error {
  return code === "internal" ? new Error(message) : new TunacodeError(code, message);
}
