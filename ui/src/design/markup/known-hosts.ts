import { keep, readKept } from '../../json/browser-storage.ts';

const KEY = 'triad.known-hosts';
const MAX_HOSTS = 500;

function read(): string[] {
  const kept = readKept(KEY);
  return Array.isArray(kept) ? kept.filter((host) => typeof host === 'string') : [];
}

/** Returns whether the reader agreed to leave for this host before, in this browser. */
export function isKnownHost(host: string): boolean {
  return read().includes(host);
}

export function rememberHost(host: string): void {
  keep(KEY, [host, ...read().filter((known) => known !== host)].slice(0, MAX_HOSTS));
}
