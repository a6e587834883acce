import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import fc from 'fast-check';
import { isObject } from '../../../json/json-object.ts';
import { enforcedClassification } from '../../../testing/analysis/enforced-classification.ts';
import { aSourceCall, askOwnSource, replaceFile } from '../../../testing/enrichment/ask-own-source.ts';
import { basic } from '../../../testing/identity/open-test-identity.ts';
import { openEnrichment } from '../../../testing/open-enrichment.ts';
import { until } from '../../../testing/until.ts';
import { readFetcherDefinition, readFetcherResult } from '../../models/fetcher.ts';
import type { LookupFlags } from '../../sources/source-client.ts';
import { openAttackSource } from './attack-source.ts';

const engine = enforcedClassification;
const HEADERS = {
  authorization: basic('robot:robot-secret'),
  'x-userid': 'grace',
  'x-classification': 'UNRESTRICTED',
};

const reference = (id: string, source = 'mitre-attack') => [
  { source_name: 'capec', external_id: 'CAPEC-1' },
  { source_name: source, external_id: id, url: `https://attack.mitre.org/objects/${id}` },
];
const uses = (from: string, to: string, more: object = {}) => ({
  ...{ type: 'relationship', relationship_type: 'uses', source_ref: from, target_ref: to },
  ...more,
});
const group = (number: number, more: object = {}) => ({
  ...{ type: 'intrusion-set', id: `intrusion-set--${number}`, name: `Crew ${number}` },
  ...{ external_references: reference(`G000${number}`), ...more },
});
const OBJECTS: readonly object[] = [
  { type: 'x-mitre-collection', id: 'x-mitre-collection--1', x_mitre_version: '18.1' },
  {
    ...{ type: 'x-mitre-tactic', id: 'x-mitre-tactic--1', name: 'Execution', x_mitre_shortname: 'execution' },
    external_references: reference('TA0002'),
  },
  {
    ...{ type: 'attack-pattern', id: 'attack-pattern--1', name: 'Interpreter', x_mitre_platforms: ['Linux', 'macOS'] },
    ...{ external_references: reference('T1059'), description: 'Runs <code>sh</code> (Citation: A book). See below.' },
    kill_chain_phases: [{ phase_name: 'execution' }, { phase_name: 'unknown' }],
  },
  // Mitigations once had the identifiers of techniques.
  {
    ...{ type: 'course-of-action', id: 'course-of-action--1', name: 'Mitigation', x_mitre_deprecated: true },
    external_references: reference('T1059'),
  },
  {
    ...{ type: 'attack-pattern', id: 'attack-pattern--2', name: 'Shell', external_references: reference('T1059.004') },
  },
  {
    ...{ type: 'attack-pattern', id: 'attack-pattern--3', name: 'Former', revoked: true },
    external_references: reference('T1064'),
  },
  {
    ...{ type: 'attack-pattern', id: 'attack-pattern--4', name: 'Forgotten', x_mitre_deprecated: true },
    external_references: reference('T1065', 'mitre-mobile-attack'),
  },
  {
    type: 'malware',
    id: 'malware--1',
    name: 'Worm',
    external_references: reference('S0001'),
    x_mitre_aliases: ['Worm', 'W'],
  },
  ...[1, 2, 3, 4].map((number) => group(number)),
  group(5, { revoked: true }),
  ...[5, 4, 3, 2, 1].map((number) => uses(`intrusion-set--${number}`, 'attack-pattern--1')),
  uses('malware--1', 'attack-pattern--2'),
  uses('intrusion-set--1', 'attack-pattern--2', { revoked: true }),
  uses('intrusion-set--1', 'malware--1'),
  uses('attack-pattern--3', 'attack-pattern--1', { relationship_type: 'revoked-by' }),
];
const bundleOf = (objects: readonly unknown[]) => JSON.stringify({ type: 'bundle', id: 'bundle--1', objects });

describe('the source attack', () => {
  const rows: readonly (readonly [id: string, said: readonly string[]])[] = [
    [
      'T1059',
      [
        'T1059 is the technique Interpreter of MITRE ATT&CK.',
        'It serves the tactic Execution (TA0002).',
        'It applies to Linux and macOS.',
        '4 groups are known to use it, among them Crew 1 (G0001), Crew 2 (G0002), and Crew 3 (G0003).',
      ],
    ],
    ['t1059.004', ['T1059.004 is the technique Shell of MITRE ATT&CK, a part of Interpreter (T1059).']],
    ['T1064', ['T1064 is the technique Former of MITRE ATT&CK.', 'T1064 is revoked; Interpreter (T1059) replaces it.']],
    [
      'T1065',
      ['T1065 is the technique Forgotten of MITRE ATT&CK.', 'T1065 is deprecated: ATT&CK no longer maintains it.'],
    ],
    [
      'S0001',
      [
        'S0001 is the software Worm of MITRE ATT&CK.',
        'It is also known as W.',
        'It is known to be used by Crew 1 (G0001).',
      ],
    ],
    ['TA0002', ['TA0002 is the tactic Execution of MITRE ATT&CK.']],
    ['T9999', []],
    ['CAPEC-1', []],
    ['__proto__', []],
  ];
  it('says name, tactics, platforms, groups and state', async (context) => {
    const { ask } = await open(context, bundleOf(OBJECTS));
    for (const [id, said] of rows) {
      const [item] = await ask(id);
      assert.deepEqual(item?.annotations.map(({ summary }) => summary) ?? [], said, id);
    }
    const [item] = await ask('T1059', { includeRaw: true });
    assert.equal(item?.link, 'https://attack.mitre.org/objects/T1059');
    assert.equal(item?.annotations[0]?.version, '18.1');
    assert.ok(isObject(item?.raw_data) && item.raw_data.description === undefined);
    assert.deepEqual((await ask('T1059', { noAnnotation: true }))[0]?.annotations, []);
  });

  it('gives its text as Markdown', async (context) => {
    const { source } = await open(context, bundleOf(OBJECTS));
    const { text } = source.source.fetchers ?? {};
    assert.ok('ok' in readFetcherDefinition(text?.definition, { engine }));
    const found = readFetcherResult(await text?.run({ type: 'attack_id', value: 'T1059' }, aSourceCall()), { engine });
    assert.ok('ok' in found);
    assert.match(String(found.ok.data), /^# T1059 Interpreter\n\n- \*\*Kind\*\*: technique\n/);
    assert.match(String(found.ok.data), /\n\nRuns `sh`\. See below\.\n\n\[https:/);
    for (const value of ['T9999', '', '\ud800']) {
      const missing = readFetcherResult(await text?.run({ type: 'attack_id', value }, aSourceCall()), { engine });
      assert.ok('ok' in missing && missing.ok.outcome === 'failure' && missing.ok.error?.startsWith('There is no "'));
    }
  });

  it('reads a changed file again, and keeps the content of a broken one out', async (context) => {
    const { ask, replace, lines } = await open(context, bundleOf(OBJECTS));
    assert.equal((await ask('T1059')).length, 1);
    const whole = bundleOf(OBJECTS.slice(2, 3).map((one) => ({ ...one, name: 'Renamed' })));
    for (const broken of [whole.slice(0, -20), '<html>', bundleOf([])]) {
      const before = lines.length;
      await replace(broken);
      await until('it is looked at', () => lines.length > before);
      assert.match(lines.at(-1) ?? '', /the file is not usable; the former content stays in use/);
      assert.equal((await ask('T1059'))[0]?.annotations[0]?.value, 'Interpreter');
    }
    await replace(whole);
    await until('it is used', async () => (await ask('T1059'))[0]?.annotations[0]?.value === 'Renamed');
  });

  it('is off without a file, and names one that is not there', async (context) => {
    assert.equal(openAttackSource({ file: null, engine, log: { info() {}, warn() {} } }), undefined);
    const { ask } = await open(context, undefined);
    await assert.rejects(ask('T1059'), /attack\.json of enrichment\.attack\.file is not usable: ENOENT/);
  });

  it('gives readable answers for any objects', async (context) => {
    const value = fc.oneof(
      fc.string(),
      fc.constant(null),
      fc.integer(),
      fc.array(fc.string()),
      fc.dictionary(fc.string(), fc.string()),
    );
    const keys =
      'name description aliases x_mitre_platforms kill_chain_phases x_mitre_shortname revoked external_references';
    const changes = fc.dictionary(fc.constantFrom(...keys.split(' ')), value, { maxKeys: 2 });
    const strange = fc.sample(changes, 300).map((change, index) => ({
      ...OBJECTS[2 + (index % 12)],
      external_references: reference(`T${2000 + index}`),
      ...change,
    }));
    const { ask, source } = await open(context, bundleOf([...OBJECTS, null, [], 1, 'x', {}, ...strange]));
    for (const index of strange.keys()) {
      await ask(`T${2000 + index}`);
      const run = source.source.fetchers?.text?.run({ type: 'attack_id', value: `T${2000 + index}` }, aSourceCall());
      assert.ok('ok' in readFetcherResult(await run, { engine }));
    }
  });

  it('answers over HTTP when a file is set, and refuses what is not an identifier', async (context) => {
    const { path } = await open(context, bundleOf(OBJECTS));
    const { app } = await openEnrichment(context, {
      'enrichment.own_sources': 'attack',
      'enrichment.attack.file': path,
    });
    const bulk = { method: 'POST', url: '/enrich/', headers: HEADERS } as const;
    const answer = await app.inject({ ...bulk, payload: [{ type: 'attack_id', value: 'T1059' }] });
    const { attack } = answer.json().api_response.attack_id.T1059;
    assert.equal(attack.items[0].annotations[0].value, 'Interpreter');
    const single = await app.inject({ url: '/api/v1/lookup/enrich/attack_id/T1059.004/', headers: HEADERS });
    assert.equal(single.json().api_response.attack.items[0].annotations[0].value, 'Shell');
    const refused = await app.inject({ ...bulk, payload: [{ type: 'attack_id', value: 'T1' }] });
    assert.equal(refused.statusCode, 400);
    const text = await app.inject({
      ...{ method: 'POST', url: '/api/v1/fetchers/attack/text', headers: HEADERS },
      payload: { type: 'attack_id', value: 'T1059' },
    });
    assert.equal(text.json().api_response.format, 'markdown');
    const types = await app.inject({ url: '/api/v1/lookup/types_detection/', headers: HEADERS });
    const expression = new RegExp(types.json().api_response.attack_id);
    for (const id of ['T1059', 'T1059.004', 'ta0002', 'G0001', 'S0001', 'DS0001']) assert.match(id, expression);
    for (const id of ['T105', 'T1059.4', 'xT1059', 'T1059 ', 'A0001']) assert.doesNotMatch(id, expression);
  });
});

/** @param content of the file; undefined: there is none */
async function open(context: TestContext, content: string | undefined) {
  const folder = await mkdtemp(join(tmpdir(), 'triad-attack-'));
  const path = join(folder, 'attack.json');
  if (content !== undefined) await writeFile(path, content);
  const lines: string[] = [];
  const note = (_entry: object, message: string) => void lines.push(message);
  const source = openAttackSource({ file: path, engine, log: { info: note, warn: note } });
  assert.ok(source);
  context.after(async () => {
    await source.close?.();
    await rm(folder, { recursive: true });
  });
  const ask = (value: string, changes: Partial<LookupFlags> = {}) =>
    askOwnSource(source, { type: 'attack_id', value }, changes);
  const replace = (next: string) => replaceFile(path, next);
  return { ask, replace, lines, path, source };
}
