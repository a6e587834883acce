/** One server of the cluster, as `datastore.hosts` of the configuration says it. */
export interface EngineHost {
  readonly name: string;
  /** `http://` or `https://`, with a path where a proxy wants one. */
  readonly url: string;
  readonly username?: string | null | undefined;
  readonly password?: string | null | undefined;
  readonly apikey_id?: string | null | undefined;
  readonly apikey_secret?: string | null | undefined;
  /** SHA-256, hexadecimal, of the certificate of the server or of one that signed it. */
  readonly fingerprint?: string | null | undefined;
}

/** Headers that sign a request in: an API key before a user name, those of the settings before those in the address. */
export function credentialHeaders(host: EngineHost): Readonly<Record<string, string>> {
  const { apikey_id, apikey_secret } = host;
  if (apikey_id && apikey_secret) return { authorization: `ApiKey ${base64(`${apikey_id}:${apikey_secret}`)}` };
  const url = new URL(host.url);
  const username = host.username || decodeURIComponent(url.username);
  const password = host.password || decodeURIComponent(url.password);
  return username === '' ? {} : { authorization: `Basic ${base64(`${username}:${password}`)}` };
}

/** The address without credentials: what is asked, and what messages show. */
export function addressOf(host: EngineHost): URL {
  const url = new URL(host.url);
  url.username = '';
  url.password = '';
  return url;
}

/** Addresses of all hosts, for a message. */
export function addressesOf(hosts: readonly EngineHost[]): string {
  return hosts.map((host) => addressOf(host).href.replace(/\/$/, '')).join(', ');
}

function base64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}
