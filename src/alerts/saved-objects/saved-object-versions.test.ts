import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { analyticDocument } from '../../documents/kinds/analytic.ts';
import { readDocument } from '../../documents/schema/read-document.ts';
import { startTestProgram, type TestProgram } from '../../testing/start-test-program.ts';

const ADMIN = 'admin:devkey:admin';
const HUEY = 'huey:devkey:huey';
const LABEL = { operation_id: 'add_label', data_json: '{"label":"x"}' };

interface VersionedKind {
  readonly kind: string;
  readonly idField: string;
  /** The body of a new one. Undefined: alerts make it. */
  readonly made: object | undefined;
  /** Two bodies of changes of the same member. */
  readonly changes: readonly [unknown, unknown];
  readonly member: string;
}

const KINDS: readonly VersionedKind[] = [
  {
    ...{ kind: 'view', idField: 'view_id', member: 'title' },
    made: { title: 'V', query: 'howler.id:*', type: 'global' },
    changes: [{ title: 'Mine' }, { title: 'Theirs' }],
  },
  {
    ...{ kind: 'dossier', idField: 'dossier_id', member: 'title' },
    made: { title: 'D', query: 'howler.id:*', type: 'global' },
    changes: [{ title: 'Mine' }, { title: 'Theirs' }],
  },
  {
    ...{ kind: 'template', idField: 'template_id', member: 'keys' },
    made: { analytic: 'Versioned', type: 'global', keys: ['a'] },
    changes: [['mine'], ['theirs']],
  },
  {
    ...{ kind: 'overview', idField: 'overview_id', member: 'content' },
    made: { analytic: 'Versioned', content: 'a' },
    changes: [{ content: 'Mine' }, { content: 'Theirs' }],
  },
  {
    ...{ kind: 'action', idField: 'action_id', member: 'name' },
    made: { name: 'A', query: 'howler.id:none', operations: [LABEL] },
    changes: [{ name: 'Mine' }, { name: 'Theirs' }],
  },
  {
    ...{ kind: 'analytic', idField: 'analytic_id', member: 'description' },
    made: undefined,
    changes: [{ description: 'Mine' }, { description: 'Theirs' }],
  },
];

describe('versions of saved objects', () => {
  let program: TestProgram;
  before(async () => {
    program = await startTestProgram();
  });
  after(() => program.close());

  const send = (method: string, path: string, json?: unknown, headers: Record<string, string> = {}, basic = ADMIN) =>
    program.request(path, { method, basic, headers, ...(json === undefined ? {} : { json }) });

  async function pathOfNew({ kind, idField, made }: VersionedKind): Promise<string> {
    if (made !== undefined) {
      const { status, text, json } = await send('POST', `/api/v1/${kind}/`, made);
      assert.equal(status, 201, text);
      return `/api/v1/${kind}/${json.api_response[idField]}`;
    }
    const input = { analytic_id: 'versioned', name: 'Versioned Analytic', owner: 'admin' };
    const { document } = readDocument(analyticDocument, input, { unknown: 'refuse' });
    await program.foundation.datastore.collection(analyticDocument).save('versioned', document, { visible: 'now' });
    return `/api/v1/${kind}/versioned`;
  }

  for (const kind of KINDS) {
    const [mine, theirs] = kind.changes;

    it(`let one of two changes of the same ${kind.kind} pass, and any without If-Match`, async () => {
      const path = await pathOfNew(kind);
      const versionOf = async () => (await send('GET', `${path}?versioned=true`)).headers.get('etag') ?? '';
      const readMember = async () => (await send('GET', path)).json.api_response[kind.member];
      const version = await versionOf();
      assert.match(version, /^\d+---\d+$/);
      const first = await send('PUT', path, theirs, { 'if-match': version });
      assert.equal(first.status, 200, first.text);
      const value = await readMember();
      assert.deepEqual(value, first.json.api_response[kind.member]);

      const late = await send('PUT', path, mine, { 'if-match': version });
      assert.deepEqual([late.status, late.headers.get('x-error-code')], [409, 'version_conflict']);
      assert.deepEqual(await readMember(), value);
      assert.equal((await send('PUT', path, mine, { 'if-match': `"${await versionOf()}"` })).status, 200);
      assert.notDeepEqual(await readMember(), value);
      assert.equal((await send('PUT', path, theirs)).status, 200);
      assert.deepEqual(await readMember(), value);
    });

    it(`answer a ${kind.kind} once to those who ask for its version`, async () => {
      const path = `${await pathOfNew({ ...kind, made: kind.made && { ...kind.made, detection: 'once' } })}`;
      const version = (await send('GET', `${path}?versioned=true`)).headers.get('etag') ?? '';
      const again = await send('GET', `${path}?versioned=true`, undefined, { 'if-match': version });
      assert.deepEqual([again.status, again.text], [304, '']);
      assert.equal((await send('PUT', path, mine)).status, 200);
      const changed = await send('GET', `${path}?versioned=true`, undefined, { 'if-match': version });
      assert.equal(changed.status, 200);
      assert.notEqual(changed.headers.get('etag'), version);
    });

    it(`do not reach pages of the public system, which return them with each change of a ${kind.kind}`, async () => {
      const path = await pathOfNew({ ...kind, made: kind.made && { ...kind.made, detection: 'public' } });
      // These pages read actions by a search.
      if (kind.kind !== 'action') assert.equal((await send('GET', path)).headers.get('etag'), null);
      assert.equal((await send('PUT', path, mine)).headers.get('etag'), null);
    });
  }

  it('tell nothing of an object that the caller may not see, or that is missing', async () => {
    for (const [kind, hidden] of [
      ['view', { title: 'Own', query: 'howler.id:*', type: 'personal' }],
      ['dossier', { title: 'Own', query: 'howler.id:*', type: 'personal' }],
      ['template', { analytic: 'Hidden', type: 'personal', keys: ['a'] }],
    ] as const) {
      const { json } = await send('POST', `/api/v1/${kind}/`, hidden);
      const path = `/api/v1/${kind}/${json.api_response[`${kind}_id`]}?versioned=true`;
      assert.equal((await send('GET', path)).status, 200);
      const refused = await send('GET', path, undefined, {}, HUEY);
      assert.deepEqual([refused.status, refused.headers.get('x-error-code')], [404, `${kind}_missing`]);
    }
    for (const { kind } of KINDS) {
      const missing = await send('GET', `/api/v1/${kind}/none?versioned=true`);
      assert.deepEqual([missing.status, missing.headers.get('x-error-code')], [404, `${kind}_missing`]);
      const body = KINDS.find((one) => one.kind === kind)?.changes[0];
      assert.equal((await send('PUT', `/api/v1/${kind}/none`, body, { 'if-match': '1---1' })).status, 404);
    }
  });

  it('keep the settings of an analytic that a change does not name', async () => {
    const path = await pathOfNew({ ...KINDS[5] } as VersionedKind);
    const put = (triage_settings: object) => send('PUT', path, { triage_settings });
    await put({ rationales: ['seen before'], skip_rationale: true });
    const { json } = await put({ rationales: ['known'] });
    assert.partialDeepStrictEqual(json.api_response.triage_settings, { rationales: ['known'], skip_rationale: true });
  });
});
