// placeholder
export interface Network {
  readonly x?: string;
}
