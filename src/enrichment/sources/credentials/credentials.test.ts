import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Unavailable } from '../../../errors/errors.ts';
import type { Privilege } from '../../../identity/actor.ts';
import type { CallerCredential } from '../../../identity/caller-credential.ts';
import type { InstallationTokenRequest } from '../../../identity/installation-tokens/installation-tokens.ts';
import type { CallKind } from '../call-context.ts';
import { SourceCredentials } from './credentials.ts';

const ACTOR = { username: 'ada', privileges: new Set<Privilege>(['R', 'W', 'E']), impersonator: undefined };
const PROVIDER: CallerCredential = { kind: 'provider_token', token: 'own.token.x' };
const LOCAL: CallerCredential = { kind: 'local' };
const VOUCHED: CallerCredential = { kind: 'vouched' };
const TARGET = { enabled: true, scope: 'vault/read', audience: null, quota: null };
const LOOKUP_REFUSED = { kind: 'refused', message: 'You must have a valid JWT to access this plugin.' };
const REFUSED = { kind: 'refused', message: 'Invalid token provided for this enrichment.' };

interface Situation {
  readonly source?: { readonly oboTarget?: string; readonly identity?: 'installation'; readonly origin?: 'own' };
  readonly credential: CallerCredential;
  readonly kind?: CallKind;
  readonly propagate?: boolean;
  /** Token of the service account. Default: there is none. */
  readonly account?: string;
  /** Answers of the exchange by target; others are refused. */
  readonly exchange?: Readonly<Record<string, string>>;
}

const sent: readonly (readonly [string, Situation, object])[] = [
  ['the token of a provider, as it is', { credential: PROVIDER }, { token: 'own.token.x' }],
  ['nothing to a source of the program that has no target', { credential: PROVIDER, source: { origin: 'own' } }, {}],
  ['nothing of a local caller', { credential: LOCAL }, {}],
  ['nothing of a program with a configured key', { credential: VOUCHED, account: 'account.token' }, {}],
  [
    'the exchanged token and the one that it was exchanged for',
    { credential: PROVIDER, source: { oboTarget: 'vault' }, exchange: { vault: 'exchanged' } },
    { token: 'exchanged', originalToken: 'own.token.x' },
  ],
  [
    'the exchanged token alone when the settings say so',
    { credential: PROVIDER, source: { oboTarget: 'vault' }, exchange: { vault: 'exchanged' }, propagate: false },
    { token: 'exchanged' },
  ],
  [
    'a token that was for the target already, alone',
    { credential: PROVIDER, source: { oboTarget: 'vault' }, exchange: { vault: 'own.token.x' } },
    { token: 'own.token.x' },
  ],
  [
    'the same token to the target for tests',
    { credential: PROVIDER, source: { oboTarget: 'test-obo' }, exchange: { 'test-obo': 'own.token.x' } },
    { token: 'own.token.x', originalToken: 'own.token.x' },
  ],
  [
    'the exchanged token of the service account for a configured key',
    { credential: VOUCHED, source: { oboTarget: 'vault' }, account: 'account.token', exchange: { vault: 'exchanged' } },
    { token: 'exchanged', originalToken: 'account.token' },
  ],
  [
    'a token for reading at a service of the installation',
    { credential: LOCAL, source: { oboTarget: 'alerts' } },
    { token: 'issued for service alerts to read' },
  ],
  [
    'a token with the rights of the caller for an action',
    { credential: LOCAL, source: { oboTarget: 'analysis' }, kind: 'run_action' },
    { token: 'issued for service analysis to own' },
  ],
  [
    'a token for reading for a fetcher',
    { credential: LOCAL, source: { oboTarget: 'analysis' }, kind: 'run_fetcher' },
    { token: 'issued for service analysis to read' },
  ],
  [
    'a token of the installation for itself',
    { credential: LOCAL, source: { identity: 'installation' } },
    { token: 'issued for source one to read' },
  ],
  [
    'a token of the installation in place of that of a provider, which it does not ask for',
    { credential: PROVIDER, source: { identity: 'installation' } },
    { token: 'issued for source one to read' },
  ],
  [
    'a token of the installation instead of an exchanged one of a local caller',
    { credential: LOCAL, source: { oboTarget: 'vault', identity: 'installation' } },
    { token: 'issued for source one to read' },
  ],
  [
    'nothing to list its actions to a configured key without a service account',
    { credential: VOUCHED, source: { oboTarget: 'vault' }, kind: 'actions' },
    {},
  ],
  [
    'nothing to list its fetchers to a configured key without a service account',
    { credential: VOUCHED, source: { oboTarget: 'vault' }, kind: 'fetchers' },
    {},
  ],
];

const refused: readonly (readonly [string, Situation])[] = [
  ['a token whose exchange is refused', { credential: PROVIDER, source: { oboTarget: 'vault' } }],
  ['a local caller where only a provider exchanges', { credential: LOCAL, source: { oboTarget: 'vault' } }],
  ['a local caller at the target for tests', { credential: LOCAL, source: { oboTarget: 'test-obo' } }],
  ['a local caller at an unknown target', { credential: LOCAL, source: { oboTarget: 'nothing' } }],
  ['a configured key without a service account', { credential: VOUCHED, source: { oboTarget: 'alerts' } }],
  ['a configured key at a source for accounts', { credential: VOUCHED, source: { identity: 'installation' } }],
  [
    'a service account whose exchange is refused',
    { credential: VOUCHED, source: { oboTarget: 'vault' }, account: 'account.token' },
  ],
];

describe('a source is sent', () => {
  for (const [what, situation, tokens] of sent) {
    it(what, async () => assert.deepEqual(await tokenFor(situation), tokens));
  }

  it('no token of the installation for a configured target with the name of a service', async () => {
    const credentials = open({ credential: LOCAL }, { alerts: TARGET });
    const source = { name: 'one', oboTarget: 'alerts', identity: undefined };
    await assert.rejects(credentials.tokenFor(source, ACTOR, LOCAL, 'lookup'), LOOKUP_REFUSED);
  });
});

describe('a source is not asked for', () => {
  for (const [what, situation] of refused) {
    it(what, async () => {
      await assert.rejects(tokenFor(situation), LOOKUP_REFUSED);
      await assert.rejects(tokenFor({ ...situation, kind: 'run_action' }), REFUSED);
      await assert.rejects(tokenFor({ ...situation, kind: 'run_fetcher' }), REFUSED);
    });
  }

  it('anyone while the keys of the installation cannot be read', async () => {
    const credentials = open({ credential: LOCAL }, {}, new Unavailable('coordination_unavailable', 'It is away.'));
    const source = { name: 'one', oboTarget: 'alerts', identity: undefined };
    await assert.rejects(credentials.tokenFor(source, ACTOR, LOCAL, 'lookup'), LOOKUP_REFUSED);
  });
});

function tokenFor(situation: Situation) {
  const { source = {}, credential, kind = 'lookup' } = situation;
  const named = { name: 'one', oboTarget: undefined, identity: undefined, ...source };
  return open(situation, { vault: TARGET, 'test-obo': TARGET }).tokenFor(named, ACTOR, credential, kind);
}

function open(
  { account, exchange = {}, propagate = true }: Situation,
  targets: ConstructorParameters<typeof SourceCredentials>[0]['targets'],
  failure?: Error,
): SourceCredentials {
  return new SourceCredentials({
    exchange: { exchange: async (_token, target) => exchange[target] ?? null },
    serviceAccount: { token: async () => account ?? null },
    installationTokens: {
      issue: async ({ actor, audience, party, rights }: InstallationTokenRequest) => {
        if (failure) throw failure;
        assert.deepEqual([actor, party], [ACTOR, 'enrichment']);
        return `issued for ${Object.entries(audience)[0]?.join(' ')} to ${rights}`;
      },
    },
    targets,
    propagate,
  });
}
