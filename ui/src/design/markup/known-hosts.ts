const KEY = 'triad.known-hosts';
const MAX_HOSTS = 500;

function read(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(stored) ? stored.filter((host) => typeof host === 'string') : [];
  } catch {
    // Not ours, or storage is switched off: ask again.
    return [];
  }
}

/** Returns whether the reader agreed to leave for this host before, in this browser. */
export function isKnownHost(host: string): boolean {
  return read().includes(host);
}

export function rememberHost(host: string): void {
  const hosts = [host, ...read().filter((known) => known !== host)].slice(0, MAX_HOSTS);
  try {
    localStorage.setItem(KEY, JSON.stringify(hosts));
  } catch {
    // Storage is full or switched off: the question comes again.
  }
}
