// What tools' schemas are made of. It is loaded when the first call comes and names only what they use: the whole of
// zod would bring its messages in fifty languages along.
import { array, boolean, int, number, object, record, string } from "zod";

export const z = { array, boolean, int, number, object, record, string };
