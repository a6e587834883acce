import { isObject } from '../../documents/schema/plain-objects.ts';
import { Unavailable } from '../../errors/errors.ts';
import type { IdentityLog } from '../identity-log.ts';
import type { IdentityProvider } from '../oauth/provider.ts';
import { providerFetch } from '../oauth/provider-fetch.ts';
import type { ProviderRegistry } from '../oauth/provider-registry.ts';
import type { VerifiedToken } from '../oauth/verified-token.ts';
import type { TokenExchange } from './token-exchange.ts';

interface ProviderResourcesDependencies {
  readonly registry: ProviderRegistry;
  /** For providers whose addresses require a separate token (Microsoft Graph). */
  readonly exchange: Pick<TokenExchange, 'exchange' | 'has'>;
  readonly log: IdentityLog;
}

interface NamedGroup {
  readonly id: string;
  readonly name: string;
}

/** Target of `enrichment.obo_targets` for tokens of Microsoft Graph. */
const GRAPH = 'graph';
const PICTURE_TYPE = /^image\/[a-z0-9.+-]+$/i;

/** Reads picture and groups of a user at the provider. Follows no redirects. */
export class ProviderResources {
  readonly #dependencies: ProviderResourcesDependencies;

  constructor(dependencies: ProviderResourcesDependencies) {
    this.#dependencies = dependencies;
  }

  /** Returns the picture at `picture_url` as a data URI, if there is one and the request succeeds. */
  async pictureOf(token: VerifiedToken, username: string): Promise<string | undefined> {
    const provider = this.#dependencies.registry.find(token.provider);
    if (!provider?.settings.picture_url) return undefined;
    try {
      const answer = await this.#ask(provider, provider.settings.picture_url, token, username);
      const type = answer.headers.get('content-type')?.split(';')[0]?.trim() ?? '';
      if (answer.status === 404) return undefined;
      const bytes = Buffer.from(await answer.arrayBuffer());
      if (answer.status !== 200 || !PICTURE_TYPE.test(type)) {
        throw new Error(`status ${answer.status}, ${type || 'no type'}`);
      }
      return `data:${type};base64,${bytes.toString('base64')}`;
    } catch (error) {
      this.#dependencies.log.warn({ provider: provider.name, err: error }, 'the picture of a user could not be had');
      return undefined;
    }
  }

  /** Returns a user's groups by name, undefined without a `groups_url`; throws `groups_unavailable`. */
  async groupsOf(token: VerifiedToken, username: string): Promise<readonly NamedGroup[] | undefined> {
    const provider = this.#dependencies.registry.find(token.provider);
    const address = provider?.settings.groups_url ?? provider?.settings.user_groups;
    if (!provider || !address) return undefined;
    try {
      const answer = await this.#ask(provider, address, token, username);
      if (answer.status !== 200) throw new Error(`status ${answer.status}`);
      return readGroups(await answer.json(), provider.settings.groups_key);
    } catch (cause) {
      this.#dependencies.log.warn({ provider: provider.name, err: cause }, 'the groups of a user could not be had');
      throw new Unavailable(
        'groups_unavailable',
        'Something went wrong when getting the detailed groups data. Try again later.',
        { cause },
      );
    }
  }

  async #ask(provider: IdentityProvider, address: string, token: VerifiedToken, username: string): Promise<Response> {
    const url = new URL(address, provider.settings.api_base_url ?? undefined);
    const authorization = `Bearer ${await this.#tokenFor(provider, token, username)}`;
    return providerFetch(url.href, { headers: { authorization } });
  }

  async #tokenFor(provider: IdentityProvider, { token }: VerifiedToken, username: string): Promise<string> {
    const { exchange } = this.#dependencies;
    if (provider.settings.on_behalf_of !== 'jwt_bearer' || !exchange.has(GRAPH)) return token;
    const exchanged = await exchange.exchange(token, GRAPH, username);
    if (exchanged === null) throw new Error(`no token for ${GRAPH}`);
    return exchanged;
  }
}

/** @param key path of the list, such as `value` or `data.groups`; null when the answer is the list */
function readGroups(answer: unknown, key: string | null): readonly NamedGroup[] {
  const list = (key ? key.split('.') : []).reduce<unknown>(
    (value, name) => (isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined),
    answer,
  );
  if (!Array.isArray(list)) throw new Error(`no groups were found at ${key ?? 'the top'} of the answer`);
  return list
    .flatMap((group: unknown) => readGroup(group) ?? [])
    .sort((left, right) => left.name.localeCompare(right.name, 'en', { sensitivity: 'base' }));
}

function readGroup(group: unknown): NamedGroup | undefined {
  if (!isObject(group)) return undefined;
  // Microsoft Graph lists directory roles, too.
  const kind = group['@odata.type'];
  if (kind !== undefined && kind !== '#microsoft.graph.group') return undefined;
  const { id, displayName, name = displayName } = group;
  return typeof id === 'string' && typeof name === 'string' && name !== '' ? { id, name } : undefined;
}
