/** The parts that a page needs once, and only when something uses them. */
export type HostName = 'tooltips' | 'toasts';

const wanted = new Set<HostName>();
const listeners = new Set<() => void>();

/** Asks for a host; DesignRoot then loads it. */
export function wantHost(name: HostName): void {
  if (wanted.has(name)) return;
  wanted.add(name);
  for (const listener of listeners) listener();
}

export function isHostWanted(name: HostName): boolean {
  return wanted.has(name);
}

export function subscribeToHosts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
