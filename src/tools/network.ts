// How web_fetch reaches the network: it resolves names and checks every address before anything connects.
import { lookup } from "node:dns/promises";
import { refuseAddress, refuseHostName } from "./web-address.ts";

export interface WebNetwork {
  /** All addresses of a name. */
  readonly resolve: (host: string) => Promise<readonly string[]>;
  /** The reason why a name or an address must not be reached; null if it may. */
  readonly refuseHostName: (host: string) => string | null;
  readonly refuseAddress: (address: string) => string | null;
  /** Certificates to trust in addition to the system's. */
  readonly certificates?: readonly string[];
}

export const publicNetwork: WebNetwork = {
  resolve: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
  refuseHostName,
  refuseAddress,
};
