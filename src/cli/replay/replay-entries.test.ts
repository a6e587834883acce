import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { pino } from 'pino';
import { packCart } from '../../analysis/formats/cart.ts';
import { digestOf } from '../../analysis/lists/listed-values.ts';
import { readEntries } from '../../analysis/replay/entry-files.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import { badlistDocument } from '../../documents/kinds/analysis/badlist.ts';
import { safelistDocument } from '../../documents/kinds/analysis/safelist.ts';
import { signatureDocument } from '../../documents/kinds/analysis/signature.ts';
import { workflowDocument } from '../../documents/kinds/analysis/workflow.ts';
import { type AnalysisTestProgram, startAnalysisTestProgram } from '../../testing/analysis/analysis-program.ts';
import { runCommandLine } from '../run-command-line.ts';

const ACCESS = unrestricted('the test looks at everything');
const ALL = 'badlist,safelist,signature,workflow';
const TIME = '2026-01-02T03:04:05.678901Z';
const SHA256 = 'ab'.repeat(32);
const DOMAIN = digestOf('network.static.domain', 'example.com');
const source = (classification = 'TLP:CLEAR') => ({ classification, name: 'mia', reason: ['Known'], type: 'user' });
/** An entry as the public system exports it. */
const BAD = {
  ...{ id: SHA256, added: TIME, updated: TIME, classification: 'TLP:CLEAR', enabled: true, expiry_ts: null },
  ...{ type: 'file', hashes: { sha256: SHA256, md5: null }, file: { name: ['a.exe'] }, sources: [source()], tag: null },
  attribution: { actor: null, family: ['EMOTET'] },
};
const SAFE = {
  ...{ id: DOMAIN, added: TIME, updated: TIME, classification: 'TLP:CLEAR', enabled: false, sources: [source()] },
  ...{ type: 'tag', hashes: { sha256: DOMAIN }, tag: { type: 'network.static.domain', value: 'example.com' } },
};
const RULE = {
  ...{ id: 'yara_here_rule1', name: 'rule1', type: 'yara', source: 'here', data: 'rule rule1 { condition: true }' },
  ...{ classification: 'TLP:CLEAR', status: 'NOISY', last_modified: TIME, signature_id: 'rule1', revision: '2' },
};
const FLOW = {
  ...{ id: 'flow1', workflow_id: 'flow1', name: 'Phishing', query: 'al.attrib:PHISH*', classification: 'TLP:CLEAR' },
  ...{ creator: 'mia', edited_by: 'mia', creation_date: TIME, last_edit: TIME, labels: ['PHISHING'], enabled: true },
  ...{ hit_count: 7, priority: null, status: null },
};
let folder: string;
let here: AnalysisTestProgram;
let there: AnalysisTestProgram;

before(async () => {
  const settings = { 'analysis.ui.allow_replay': true };
  [here, there] = await Promise.all([startAnalysisTestProgram({ settings }), startAnalysisTestProgram({ settings })]);
  for (const program of [here, there]) await program.saveUser('root', { type: ['admin'], classification: 'TLP:GREEN' });
});
after(() => Promise.all([here.close(), there.close()]));
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'triad-replay-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function triad(program: AnalysisTestProgram, ...words: readonly string[]) {
  const printed: string[] = [];
  const status = await runCommandLine(
    {
      environment: { TRIAD_API_KEY: 'key:secret' },
      version: '1',
      print: (line) => printed.push(line),
      printError: () => undefined,
      input: Readable.from([]),
      interactive: false,
      errorStream: process.stderr,
      terminal: false,
      createLogger: () => pino({ level: 'silent' }),
      ending: new AbortController().signal,
    },
    ['replay', ...words, '--user', 'root', '--server', program.urls.analysis],
  );
  return { status, printed };
}

async function packed(type: string, content: unknown): Promise<string> {
  const name = `${type}_${TIME}.al_json.cart`;
  const text = Buffer.from(typeof content === 'string' ? content : JSON.stringify(content));
  await writeFile(join(folder, name), await buffer(packCart(Readable.from([text]), {})));
  return name;
}
const at = (program: AnalysisTestProgram) => {
  const { datastore } = program.foundation;
  return {
    bad: () => datastore.collection(badlistDocument).get(SHA256, ACCESS),
    safe: () => datastore.collection(safelistDocument).get(DOMAIN, ACCESS),
    rule: () => datastore.collection(signatureDocument).get(RULE.id, ACCESS),
    flow: () => datastore.collection(workflowDocument).get(FLOW.id, ACCESS),
  };
};
async function storedAt(program: AnalysisTestProgram) {
  const { bad, safe, rule, flow } = at(program);
  return { bad: await bad(), safe: await safe(), rule: await rule(), flow: await flow() };
}

describe('lists of another installation', () => {
  it('are imported as the public system exports them, and go on to the next', async () => {
    await packed('badlist', [BAD]);
    await packed('safelist', [SAFE]);
    await packed('signature', [RULE]);
    await packed('workflow', [FLOW]);
    const { status, printed } = await triad(here, 'import', folder);
    assert.deepEqual([status, printed.length], [0, 4], printed.join());
    assert.deepEqual(await readdir(folder), []);
    const stored = await storedAt(here);
    const { bad, safe, rule, flow } = stored;
    assert.deepEqual([bad?.attribution?.family, bad?.updated, bad?.sources], [['EMOTET'], TIME, [source()]]);
    assert.deepEqual([safe?.enabled, rule?.status, rule?.last_modified], [false, 'NOISY', TIME]);
    assert.deepEqual([flow?.creator, flow?.hit_count, flow?.last_edit], ['mia', 0, TIME]);

    const exported = await triad(here, 'export', folder, '--lists', ALL);
    assert.deepEqual([exported.status, exported.printed.length], [0, 4], exported.printed.join());
    for (const name of await readdir(folder)) {
      assert.match(name, /^[a-z]+_\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z\.al_json\.cart$/);
      const { type, entries } = await readEntries(join(folder, name));
      const sent = { badlist: BAD, safelist: SAFE, signature: RULE, workflow: FLOW }[type];
      assert.equal(entries[0]?.id, sent?.id);
    }
    assert.equal((await triad(there, 'import', folder, '--keep')).status, 0);
    assert.deepEqual(await storedAt(there), stored);
    assert.equal((await triad(there, 'import', folder)).status, 0);
    assert.deepEqual(await storedAt(there), stored, 'once more');
  });

  it('are exported from where the last export ended', async () => {
    const newer = { ...FLOW, id: 'flow2', workflow_id: 'flow2', last_edit: '2026-05-06T00:00:00.000000Z' };
    await packed('workflow', [FLOW, newer]);
    await triad(here, 'import', folder);
    for (const expected of [['flow1', 'flow2'], ['flow2']]) {
      const { printed } = await triad(here, 'export', folder, '--lists', 'workflow');
      const name = printed[0]?.split('\t')[1] ?? '';
      const { entries } = await readEntries(join(folder, name));
      assert.deepEqual(
        entries.map(({ id }) => id),
        expected,
      );
    }
    assert.equal((await triad(here, 'export', folder, '--lists', 'submission')).status, 2);
  });

  it('never get a lower classification, and stay on or off', async () => {
    await packed('badlist', [{ ...BAD, enabled: false }]);
    await packed('signature', [RULE]);
    await packed('workflow', [FLOW]);
    assert.equal((await triad(there, 'import', folder, '--min-classification', 'TLP:GREEN')).status, 0);
    await packed('badlist', [BAD]);
    await packed('signature', [{ ...RULE, status: 'DEPLOYED', data: 'rule rule1 { condition: false }' }]);
    await packed('workflow', [{ ...FLOW, edited_by: 'ben', enabled: false }]);
    assert.equal((await triad(there, 'import', folder)).status, 0);
    const { bad, rule, flow } = at(there);
    assert.deepEqual(
      [(await bad())?.classification, (await bad())?.sources[0]?.classification],
      ['TLP:GREEN', 'TLP:GREEN'],
    );
    const { classification, status, data } = (await rule()) ?? {};
    assert.deepEqual([classification, status, data], ['TLP:GREEN', 'NOISY', 'rule rule1 { condition: false }']);
    assert.deepEqual([(await flow())?.classification, (await flow())?.enabled], ['TLP:GREEN', true]);
  });

  it('are refused one file at a time', async () => {
    const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`;
    await packed('badlist', [
      { ...BAD, hashes: { sha256: 'cd'.repeat(32) } },
      { ...BAD, classification: 'NONSENSE' },
    ]);
    await packed('safelist', deep);
    await packed('signature', [{ ...RULE, classification: 'TLP:AMBER', name: 'other', signature_id: 'other' }]);
    await packed('alert', []);
    await writeFile(join(folder, 'badlist_broken.al_json.cart'), 'no CaRT');
    await writeFile(join(folder, 'safelist_object.al_json'), '{}');
    await writeFile(join(folder, 'workflow_path.al_json'), JSON.stringify([{ ...FLOW, workflow_id: '../flow' }]));
    await writeFile(join(folder, 'workflow_zero.al_json'), JSON.stringify([5]));
    await writeFile(join(folder, 'workflow_good.al_json'), JSON.stringify([FLOW]));
    await packed('large', '');
    const { status, printed } = await triad(there, 'import', folder);
    const outcomes = printed.map((line) => line.split('\t').slice(0, 2).join(' '));
    assert.equal(status, 1);
    assert.deepEqual(
      outcomes.filter((line) => line.startsWith('imported')),
      ['imported workflow_good.al_json'],
      printed.join('\n'),
    );
    assert.equal(outcomes.length, 10);
    assert.deepEqual(
      printed.filter((line) => /\t5\d\d: /.test(line)),
      [],
    );
    const other = await there.foundation.datastore.collection(badlistDocument).get('cd'.repeat(32), ACCESS);
    assert.equal(other, undefined, 'nothing of a request with a wrong entry is stored');
    assert.ok((await readFile(join(folder, 'safelist_object.al_json'))).length > 0, 'refused files stay');
  });

  it('that unpack to too much are refused', async () => {
    await packed('safelist', ' '.repeat((64 << 20) + 1));
    const { status, printed } = await triad(there, 'import', folder);
    assert.equal(status, 1);
    assert.match(printed[0] ?? '', /^failed\tsafelist_.*\tit has more than 67108864 bytes$/);
  });

  it('need the role of replay', async () => {
    await there.saveUser('ana', { classification: 'TLP:GREEN' });
    const call = (uname: string, path: string, json: unknown) =>
      there.as(uname, `/api/v4/replay/entries/${path}`, { method: 'POST', json });
    assert.equal((await call('ana', 'badlist/', [BAD])).status, 403);
    assert.equal((await call('root', 'submission/', [])).status, 400);
    assert.equal((await call('root', 'badlist/', {})).status, 400);
    assert.equal((await call('root', 'badlist/', Array(1001).fill(BAD))).status, 400);
    assert.equal((await call('root', 'badlist/?min_classification=NONSENSE', [BAD])).status, 400);
    assert.equal((await call('root', 'badlist/', [BAD])).status, 200);
  });
});
