/** An API key that was just made. */
export interface NewApiKey {
  /** Name and secret, `reports:…`. */
  readonly secret: string;
  /** Users who may act as its owner with it; undefined for a key of the owner's own programs. */
  readonly agents: readonly string[] | undefined;
}

/**
 * Returns a command of a shell that shows whose rights a key gives. With a key for impersonation, the
 * agent signs in with credentials of their own, for which curl asks, and sends the key beside them.
 * @param address `http://host:port` of the alert service
 */
export function keyCommand(address: string, owner: string, { secret, agents }: NewApiKey): string {
  const url = `${address}/api/v1/user/whoami`;
  const credential = `${owner}:${secret}`;
  if (agents === undefined) return `curl -u '${credential}' ${url}`;
  const bytes = new TextEncoder().encode(credential);
  const encoded = btoa(String.fromCharCode(...bytes));
  return `curl -u '${agents[0] ?? ''}' -H 'X-Impersonating: Basic ${encoded}' ${url}`;
}
