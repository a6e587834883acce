import { InvalidInput } from '../../../errors/errors.ts';

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

/** Throws `invalid_setting` for invalid hosts, without the address, which may contain a password. */
export function checkHosts(hosts: readonly EngineHost[]): void {
  if (hosts.length === 0)
    throw wrongHosts('no server is named. Give at least one address, such as http://127.0.0.1:9200');
  for (const { name, url, apikey_id, apikey_secret } of hosts) {
    if (!isAddress(url)) {
      throw wrongHosts(
        `the address of ${name} is none. It has to be like https://host:9200; user and password in it are percent-encoded`,
      );
    }
    if (Boolean(apikey_id) !== Boolean(apikey_secret)) {
      const [given, missing] = apikey_id ? ['apikey_id', 'apikey_secret'] : ['apikey_secret', 'apikey_id'];
      throw wrongHosts(
        `${name} has ${given} without ${missing}. Both are needed, here or in the variables of the host`,
      );
    }
  }
}

function wrongHosts(what: string): InvalidInput {
  return new InvalidInput('invalid_setting', `datastore.hosts: ${what}.`, { at: 'datastore.hosts' });
}

function isAddress(text: string): boolean {
  try {
    const { username, password } = new URL(text);
    decodeURIComponent(username + password);
    return true;
  } catch {
    return false;
  }
}

/** Headers that sign in: an API key before a user name, those of the settings before the address. */
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

export function addressesOf(hosts: readonly EngineHost[]): string {
  return hosts.map((host) => addressOf(host).href.replace(/\/$/, '')).join(', ');
}

function base64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}
