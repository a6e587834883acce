import { type OutsideServerName, outsideServer } from '../../src/testing/servers/outside-servers.ts';

/** A search engine that golden data can be put to. */
export interface GoldenServer {
  readonly vendor: 'elasticsearch' | 'opensearch';
  readonly url: string;
}

export const GOLDEN_SERVERS = {
  opensearch: 'opensearch',
  elasticsearch8: 'elasticsearch',
  elasticsearch9: 'elasticsearch',
} as const satisfies Partial<Record<OutsideServerName, GoldenServer['vendor']>>;

export type GoldenServerName = keyof typeof GOLDEN_SERVERS;

export function isGoldenServer(name: string): name is GoldenServerName {
  return Object.hasOwn(GOLDEN_SERVERS, name);
}

/** Returns the address of the server, and why tests cannot use it; see `outsideServer`. */
export function goldenServer(name: GoldenServerName): GoldenServer & { readonly unavailable: string | undefined } {
  return { vendor: GOLDEN_SERVERS[name], ...outsideServer(name) };
}
