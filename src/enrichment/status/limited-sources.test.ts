import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { DEMO_CLASSIFICATION } from '../../classification/builtin-definitions.ts';
import { loadClassification } from '../../classification/classification.ts';
import { openEmbeddedCoordination } from '../../coordination/embedded/embedded-coordination.ts';
import type { AuditEvent } from '../../identity/audit/audit-log.ts';
import { anActor } from '../../testing/alerts/alert-services.ts';
import { FORWARDED_TOKENS } from '../../testing/enrichment/forwarded-tokens.ts';
import { scriptedSettings } from '../../testing/enrichment/scripted-sources.ts';
import type { Selector } from '../models/selector.ts';
import type { CallContext, CallerCredential } from '../sources/call-context.ts';
import type { LookupFlags, SourceCall, SourceClient, SourceSelector } from '../sources/source-client.ts';
import { SourceDirectory } from '../sources/source-directory.ts';
import { SourceFailure } from '../sources/source-failure.ts';
import type { SourceSettings } from '../sources/source-settings.ts';
import { SupportedTypes } from '../supported-types/supported-types.ts';
import { auditCalls } from './call-audit.ts';
import { LimitedSources } from './limited-sources.ts';

const FLAGS: LookupFlags = { limit: 10, maxTimeout: 5, noAnnotation: false, includeRaw: false, noCache: false };
const LOCAL: CallerCredential = { kind: 'local' };

describe('a source with a cache', () => {
  it('never gives one caller the answer of another', async (context) => {
    const { source, client, as } = await open(context, { cache: { ttl: 60, shared: false } });
    for (const user of ['ada', 'grace', 'ada', 'grace']) {
      const found = await source.lookup([DOMAIN], FLAGS, as(user, LOCAL));
      assert.deepEqual(
        found.get(DOMAIN)?.items.map((item) => 'count' in item && item.count),
        [user === 'ada' ? 1 : 2],
      );
    }
    assert.equal(client.calls, 2);
    // A user of the same name for whom a key vouches, and one of a provider, are others.
    await source.lookup([DOMAIN], FLAGS, as('ada', { kind: 'vouched' }));
    await source.lookup([DOMAIN], FLAGS, as('ada', { kind: 'provider_token', token: tokenOf('https://one') }));
    await source.lookup([DOMAIN], FLAGS, as('ada', { kind: 'provider_token', token: tokenOf('https://two') }));
    await source.lookup([DOMAIN], FLAGS, as('ada', { kind: 'provider_token', token: tokenOf('https://two') }));
    assert.equal(client.calls, 5);
  });

  it('shares answers without a token by clearance, and filters them for each caller', async (context) => {
    const { source, client, as } = await open(context, { cache: { ttl: 60, shared: true } });
    client.classification = 'RESTRICTED';
    const itemsFor = async (user: string, clearance: string) =>
      (await source.lookup([DOMAIN], FLAGS, as(user, LOCAL, clearance))).get(DOMAIN)?.items.length;
    assert.equal(await itemsFor('ada', 'RESTRICTED'), 1);
    assert.equal(await itemsFor('grace', 'RESTRICTED'), 1);
    assert.equal(client.calls, 1);
    assert.equal(await itemsFor('eve', 'UNRESTRICTED'), 0);
    assert.equal(await itemsFor('ada', 'UNRESTRICTED'), 0);
    assert.equal(client.calls, 2);
    const token = { kind: 'provider_token', token: tokenOf('https://one') } as const;
    await source.lookup([DOMAIN], FLAGS, as('ada', token, 'RESTRICTED'));
    await source.lookup([DOMAIN], FLAGS, as('grace', token, 'RESTRICTED'));
    assert.equal(client.calls, 4);
  });

  it('answers single and bulk lookups from one another, and the rest from the source', async (context) => {
    const { source, client, as } = await open(context, { cache: { ttl: 60, shared: false } });
    const other = { ...DOMAIN, value: 'other.example.org' };
    await source.lookupOne(DOMAIN, FLAGS, as('ada', LOCAL));
    const found = await source.lookup([DOMAIN, other], FLAGS, as('ada', LOCAL));
    assert.equal(found.size, 2);
    assert.deepEqual(client.asked, [['example.org'], ['other.example.org']]);
    assert.equal((await source.lookupOne(other, FLAGS, as('ada', LOCAL))).items.length, 1);
    assert.equal(client.calls, 2);
  });

  it('gives the name of a removed source to another without its answers', async (context) => {
    const { source, client, as, directory, settings } = await open(context, { cache: { ttl: 60, shared: true } });
    await source.lookup([DOMAIN], FLAGS, as('ada', LOCAL));
    directory.remove('feed');
    const next = directory.add({ ...settings, url: 'http://another' }, client);
    await next.lookup([DOMAIN], FLAGS, as('ada', LOCAL));
    assert.equal(client.calls, 2);
  });
});

describe('a source with limits', () => {
  it('keeps its types and names the reason while its circuit is open', async (context) => {
    const { source, client, as } = await open(context, {});
    assert.deepEqual(await source.types(as('ada', LOCAL).actor), { domain: engine.unrestricted });
    client.failure = new SourceFailure('unreachable', 'connect ECONNREFUSED 10.0.0.5:8000');
    for (let call = 0; call < 10; call += 1) await source.lookup([DOMAIN], FLAGS, as('ada', LOCAL));
    const { error } = (await source.lookup([DOMAIN], FLAGS, as('ada', LOCAL))).get(DOMAIN) ?? {};
    assert.match(
      error ?? '',
      /^feed is not asked at the moment: 10 calls in a row had no answer \(the last one could not connect\)\. It is tried again at /,
    );
  });

  it('audits each call with at most 100 values', async (context) => {
    const { source, events, as } = await open(context, {});
    await source.lookup(domains(250), FLAGS, as('ada', LOCAL));
    await source.runAction('block', { selector: DOMAIN, selectors: [DOMAIN, 7, null] }, as('ada', LOCAL));
    await source.actions(as('ada', LOCAL));
    const [lookup, action, ...others] = events;
    assert.deepEqual(others, []);
    assert.equal(lookup?.values?.length, 100);
    assert.equal(lookup?.values?.[99], 'domain host-99.example.org');
    assert.deepEqual(
      [lookup?.event, lookup?.user, lookup?.source, lookup?.operation, lookup?.count],
      ['source_called', 'ada', 'feed', 'lookup', 250],
    );
    assert.deepEqual(
      [action?.operation, action?.values],
      ['run_action block', ['domain example.org', 'domain example.org']],
    );
  });
});

describe('a source that answers few values at a time', () => {
  it('counts each call against its rates, and names the next free call for the values that are left', async (context) => {
    const { source, client, as } = await open(context, { valuesPerCall: 2, rateLimits: ['3/hour'] });
    const found = await source.lookup(domains(10), FLAGS, as('ada', LOCAL));
    assert.deepEqual(
      client.asked.map(({ length }) => length),
      [2, 2, 2],
    );
    const errors = [...found.values()].flatMap(({ error }) => error ?? []);
    assert.equal(errors.length, 4);
    assert.match(errors[0] ?? '', /^The rate limit of feed \(3\/hour\) is exhausted\. The next call is possible at /);
  });

  it('counts requests that a call makes after its first', async (context) => {
    const { source, client, as } = await open(context, { rateLimits: ['3/hour'] });
    client.requests = 2;
    const first = await source.lookupOne(DOMAIN, FLAGS, as('ada', LOCAL));
    assert.equal(first.error, undefined);
    assert.match(
      (await source.lookupOne(DOMAIN, FLAGS, as('ada', LOCAL))).error ?? '',
      /^The rate limit of feed \(3\/hour\) is exhausted/,
    );
    assert.equal(client.calls, 2);
  });

  it('keeps the answers of the other calls when one fails, and asks no more after a refused key', async (context) => {
    const { source, client, as } = await open(context, { valuesPerCall: 1, concurrency: 1 });
    client.failure = new SourceFailure('unusable', 'not JSON');
    client.failing = 'host-1.example.org';
    const found = await source.lookup(domains(4), FLAGS, as('ada', LOCAL));
    assert.deepEqual(
      [...found.values()].map(({ error }) => error !== undefined),
      [false, true, false, false],
    );
    client.failure = new SourceFailure('status', 'wrong key', { status: 401, pluginMessage: 'Wrong key.' });
    const refused = await source.lookup(domains(4), FLAGS, as('ada', LOCAL));
    assert.deepEqual(
      [...refused.values()].map(({ error }) => error),
      [undefined, 'Wrong key.', 'Wrong key.', 'Wrong key.'],
    );
    assert.equal(client.calls, 6);
  });
});

const engine = loadClassification(DEMO_CLASSIFICATION);
const DOMAIN: Selector = { type: 'domain', value: 'example.org', classification: engine.unrestricted, sources: null };

function domains(count: number): Selector[] {
  return Array.from({ length: count }, (_, number) => ({ ...DOMAIN, value: `host-${number}.example.org` }));
}

/** A source that distinguishes callers, and counts how often it is asked. */
class CountingClient implements SourceClient {
  readonly asked: string[][] = [];
  classification = engine.unrestricted;
  failure: SourceFailure | undefined;
  /** The only value whose lookup fails; undefined: all. */
  failing: string | undefined;
  /** Requests of a call. */
  requests = 1;

  get calls(): number {
    return this.asked.length;
  }

  async types() {
    return { domain: engine.unrestricted };
  }
  async lookup(selectors: readonly SourceSelector[], _flags: LookupFlags, call: SourceCall) {
    this.asked.push(selectors.map(({ value }) => value));
    const fails = this.failing === undefined || selectors.some(({ value }) => value === this.failing);
    if (this.failure && fails) throw this.failure;
    return { domain: Object.fromEntries(selectors.map(({ value }) => [value, { items: this.#items(call) }])) };
  }
  async lookupOne(_type: string, value: string, _flags: LookupFlags, call: SourceCall) {
    this.asked.push([value]);
    for (let request = 1; request < this.requests; request += 1) await call.anotherRequest?.();
    return this.#items(call);
  }
  async actions() {
    return {};
  }
  async runAction() {
    return {};
  }
  async fetchers() {
    return {};
  }
  async runFetcher() {
    return {};
  }
  async close() {}

  #items({ caller }: SourceCall) {
    return [{ classification: this.classification, count: caller.username === 'ada' ? 1 : 2, annotations: [] }];
  }
}

async function open(context: TestContext, given: Partial<SourceSettings>) {
  const coordination = await openEmbeddedCoordination({ folder: 'memory' });
  context.after(() => coordination.close());
  const log = { warn: () => {} };
  const limited = new LimitedSources({ targets: {}, coordination, log, onAnswer: () => {} });
  const events: AuditEvent[] = [];
  const directory = new SourceDirectory({
    engine,
    supportedTypes: new SupportedTypes(),
    credentials: FORWARDED_TOKENS,
    limitsOf: (settings) => limited.create(settings),
    onCall: auditCalls({ write: (event) => void events.push(event) }),
    log,
  });
  const settings = scriptedSettings(engine, { name: 'feed', url: 'http://feed', ...given });
  const client = new CountingClient();
  const source = directory.add(settings, client);
  const as = (username: string, credential: CallerCredential, classification = engine.unrestricted): CallContext => ({
    actor: anActor({ username, classification: engine.normalise(classification) }),
    credential,
    deadline: Date.now() + 5000,
    signal: new AbortController().signal,
  });
  return { source, client, as, directory, settings, events };
}

/** A token as it is here after its signature was verified. */
function tokenOf(iss: string): string {
  return `e30.${Buffer.from(JSON.stringify({ iss })).toString('base64url')}.c2ln`;
}
