import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { ErrorRecord } from '../../documents/kinds/analysis/error.ts';
import { ACCESS, aTask, NOW, openIntake, SHA256, sentResult } from '../../testing/analysis/result-intake-fixture.ts';
import type { ResultSummary, Task, TaskOutcome } from '../dispatching/task.ts';

const CHILD = 'b'.repeat(64);
const LISTING = 'c'.repeat(64);
const section = (changes: object = {}) => ({
  title_text: 'Found',
  body: 'text',
  body_format: 'TEXT',
  classification: 'TLP:C',
  depth: 0,
  ...changes,
});
const file = (sha256: string, changes: object = {}) => ({
  name: 'member.txt',
  sha256,
  description: 'zip member',
  classification: 'TLP:C',
  ...changes,
});

describe('ResultIntake', () => {
  it('stores a result under its key, and tells the dispatcher what it needs', async (context) => {
    const { intake, results, outcomes } = await setUp(context);
    const sent = sentResult({
      result: { sections: [section({ heuristic: { heur_id: 1 }, tags: { file: { behavior: ['runs'] } } })] },
      drop_file: true,
      temp_submission_data: { passwords: ['x'] },
    });
    assert.deepEqual(await intake.finish(aTask(), sent, { freshen: true }), { success: true });
    const { key, ...summary } = summaryOf(outcomes);
    assert.match(key, new RegExp(`^${SHA256}\\.Mini\\.v4_7_4_25\\.c[0-9A-Za-z]+$`));
    assert.deepEqual(summary, {
      serviceVersion: '4.7.4.25',
      score: 500,
      drop: true,
      partial: false,
      children: [],
      tags: [{ type: 'file.behavior', value: 'runs', score: 500 }],
      temporaryData: { passwords: ['x'] },
      extraErrors: [],
    });
    const stored = await results.get(key, ACCESS);
    assert.equal(stored?.result.score, 500);
    assert.equal(stored?.created, '2026-01-02T03:04:05.000000Z');
    assert.equal(stored?.expiry_ts, '2026-01-04T03:04:05.000000Z');
    assert.deepEqual(stored?.result.sections[0]?.heuristic, {
      heur_id: 'MINI.1',
      name: 'Evil',
      score: 500,
      attack: [],
      signature: [],
    });
  });

  it('keeps the key alone of a result that says nothing', async (context) => {
    const { intake, results, emptyResults, outcomes } = await setUp(context);
    await intake.finish(aTask(), sentResult(), { freshen: true });
    const { key, score } = summaryOf(outcomes);
    assert.match(key, /\.e$/);
    assert.equal(score, 0);
    assert.deepEqual(await emptyResults.get(key, ACCESS), { expiry_ts: '2026-01-07T03:04:05.000000Z' });
    assert.equal(await results.count({ query: { kind: 'all' } }, ACCESS), 0);
  });

  it('takes another key when there is a result, the cache is ignored, or the result is partial', async (context) => {
    const { intake, outcomes } = await setUp(context);
    const sent = sentResult({ result: { sections: [section()] } });
    await intake.finish(aTask(), sent, { freshen: true });
    await intake.finish(aTask(), sent, { freshen: true });
    await intake.finish(aTask({ ignore_cache: true }), sent, { freshen: true });
    await intake.finish(aTask({ ignore_cache: true }), sent, { freshen: true });
    await intake.finish(aTask(), { ...sent, partial: true }, { freshen: true });
    assert.equal(new Set(outcomes.map((outcome) => summaryOf([outcome]).key)).size, 5);
  });

  it('asks for files that are missing, and stores nothing before they are there', async (context) => {
    const { intake, known, results, outcomes, freshened } = await setUp(context);
    const response = { extracted: [file(CHILD)], supplementary: [file(LISTING, { is_section_image: true })] };
    const sent = sentResult({ response });
    known.add(LISTING);
    for (const freshen of [true, false]) {
      const reply = await intake.finish(aTask(), sent, { freshen });
      assert.deepEqual(reply, { success: false, missing_files: [CHILD] });
    }
    assert.equal(await results.count({ query: { kind: 'all' } }, ACCESS), 0);
    assert.equal(outcomes.length, 0);
    known.add(CHILD);
    assert.deepEqual(await intake.finish(aTask(), sent, { freshen: false }), { success: true });
    assert.deepEqual(freshened, [
      { sha256: LISTING, expiry: '2026-01-04T03:04:05.000000Z', isSupplementary: true, isSectionImage: true },
    ]);
    assert.deepEqual(summaryOf(outcomes).children, [
      {
        sha256: CHILD,
        name: 'member.txt',
        parentRelation: 'EXTRACTED',
        allowDynamicRecursion: false,
        classification: 'TLP:CLEAR',
      },
    ]);
  });

  it('raises a result to the classification of its submission', async (context) => {
    const { intake, results, outcomes } = await setUp(context);
    const sent = sentResult({ classification: 'TLP:C', result: { sections: [section()] } });
    await intake.finish(aTask({ min_classification: 'TLP:A' }), sent, { freshen: true });
    const stored = await results.get(summaryOf(outcomes).key, ACCESS);
    assert.equal(stored?.classification, 'TLP:AMBER');
    assert.equal(stored?.result.sections[0]?.classification, 'TLP:CLEAR');
  });

  it('tells the score and the files that every reader of the submission may see', async (context) => {
    const { intake, known, outcomes } = await setUp(context);
    known.add(CHILD);
    const heuristic = { heur_id: 1 };
    const sections = [section({ heuristic }), section({ heuristic, classification: 'TLP:A' })];
    const response = { extracted: [file(CHILD, { classification: 'TLP:A' })] };
    for (const minimum of ['TLP:C', 'TLP:A']) {
      const task = aTask({ min_classification: minimum, ignore_cache: true });
      await intake.finish(task, sentResult({ result: { sections }, response }), { freshen: true });
    }
    const [open, amber] = outcomes.map((outcome) => summaryOf([outcome]));
    assert.equal(open?.score, 2 * (open?.openScore ?? 0));
    assert.deepEqual([open?.children[0]?.isRestricted, amber?.children[0]?.isRestricted], [true, undefined]);
    assert.equal(amber?.openScore, undefined);
  });

  it('raises a section to the classification of its heuristic', async (context) => {
    const { intake, results, outcomes } = await setUp(context);
    const sections = [section({ heuristic: { heur_id: 2 } }), section()];
    await intake.finish(aTask(), sentResult({ result: { sections } }), { freshen: true });
    const stored = await results.get(summaryOf(outcomes).key, ACCESS);
    assert.deepEqual(
      stored?.result.sections.map((one) => one.classification),
      ['TLP:AMBER', 'TLP:CLEAR'],
    );
  });

  it('takes invalid tags off, and stores one error beside the result', async (context) => {
    const { intake, results, errors, outcomes } = await setUp(context);
    const tags = {
      network: { static: { ip: ['1.2.3.4', 'no ip'], domain: ['host.example'] }, port: ['80', 'x'] },
      'attribution.family': 'emo',
      nothing: { like: ['that'] },
      file: { rule: { yara: ['source.rule'] } },
    };
    await intake.finish(aTask(), sentResult({ result: { sections: [section({ tags })] } }), { freshen: true });
    const { key, extraErrors, tags: found } = summaryOf(outcomes);
    assert.deepEqual((await results.get(key, ACCESS))?.result.sections[0]?.tags, {
      attribution: { family: ['EMO'] },
      file: { rule: { yara: ['source.rule'] } },
      network: { port: [80], static: { domain: ['host.example'], ip: ['1.2.3.4'] } },
    });
    assert.deepEqual(
      found.map((tag) => `${tag.type}=${tag.value}`),
      [
        'network.static.ip=1.2.3.4',
        'network.static.domain=host.example',
        'network.port=80',
        'attribution.family=EMO',
        'file.rule.yara=source.rule',
      ],
    );
    assert.equal(extraErrors.length, 1);
    assert.match(extraErrors[0] ?? '', /\.e1\.\d+$/);
    const stored = (await errors.get(extraErrors[0] ?? '', ACCESS)) as ErrorRecord;
    assert.deepEqual(
      [stored.type, stored.severity, stored.response.status, stored.response.message],
      [
        'EXCEPTION',
        'warning',
        'FAIL_RECOVERABLE',
        'The following tags were rejected: network.static.ip=no ip | network.port=x | nothing.like=that',
      ],
    );
  });

  it('keeps the character NUL, which parts of files hold', async (context) => {
    const { intake, results, outcomes } = await setUp(context);
    const tags = { file: { string: { extracted: ['PK\0\0'] } }, network: { static: { ip: ['a\0b'] } } };
    const sections = [section({ tags, body: 'first\0last' })];
    await intake.finish(aTask(), sentResult({ result: { sections } }), { freshen: true });
    const { key, extraErrors } = summaryOf(outcomes);
    const [stored] = (await results.get(key, ACCESS))?.result.sections ?? [];
    assert.deepEqual([stored?.body, stored?.tags], ['first\0last', { file: { string: { extracted: ['PK\0\0'] } } }]);
    const found = await results.search(
      { query: { kind: 'exists', field: 'result.sections.tags.file.string.extracted' } },
      ACCESS,
    );
    assert.equal(found.total, 1);
    assert.equal(extraErrors.length, 1);
  });

  it('stores the errors and warnings that a service sends beside a result', async (context) => {
    const { intake, errors, outcomes } = await setUp(context);
    const reply = await intake.finish(aTask(), sentResult({ result: { sections: [section()] } }), {
      freshen: true,
      errors: [{ message: 'one', error_type: 'SERVICE BUSY' }],
      warnings: [{ message: 'two' }],
    });
    assert.deepEqual(reply, { success: true });
    const stored = await errors.getMany(summaryOf(outcomes).extraErrors, ACCESS);
    assert.deepEqual(
      stored.map((error) => [error?.severity, error?.type, error?.response.message, error?.response.status]),
      [
        ['error', 'SERVICE BUSY', 'one', 'FAIL_RECOVERABLE'],
        ['warning', 'UNKNOWN', 'two', 'FAIL_RECOVERABLE'],
      ],
    );
  });

  it('sets safe tags and signatures apart', async (context) => {
    const { intake, results, outcomes } = await setUp(context);
    const safe = { network: { static: { domain: ['safe.example'] } } };
    const sections = [
      section({ heuristic: { heur_id: 1 }, tags: safe, zeroize_on_tag_safe: true }),
      section({ heuristic: { heur_id: 1 }, tags: safe }),
      section({ heuristic: { heur_id: 1, signatures: { safe: 1 } } }),
      section({ heuristic: { heur_id: 1, signatures: { safe: 1, other: 2 } } }),
    ];
    await intake.finish(aTask(), sentResult({ result: { sections } }), { freshen: true });
    const { result } = (await results.get(summaryOf(outcomes).key, ACCESS)) ?? {};
    assert.deepEqual(
      result?.sections.map((one) => one.heuristic?.score),
      [0, 500, 0, 1500],
    );
    assert.equal(result?.score, 2000);
    assert.deepEqual(result?.sections[0]?.safelisted_tags, { 'network.static.domain': ['safe.example'] });
    assert.deepEqual(result?.sections[0]?.tags, {});
    assert.deepEqual(result?.sections[3]?.heuristic?.signature, [
      { name: 'safe', frequency: 1, safe: true },
      { name: 'other', frequency: 2, safe: false },
    ]);
  });

  it('drops a heuristic that is not registered, and keeps its section', async (context) => {
    const { intake, results, outcomes } = await setUp(context);
    const sections = [section({ heuristic: { heur_id: 99, score: 9000 } })];
    await intake.finish(aTask(), sentResult({ result: { score: 9000, sections } }), { freshen: true });
    const stored = await results.get(summaryOf(outcomes).key, ACCESS);
    assert.equal(stored?.result.score, 0);
    assert.equal(stored?.result.sections[0]?.heuristic, undefined);
  });

  it('hands on temporary data that is new and not too long', async (context) => {
    const { intake, outcomes } = await setUp(context);
    const sent = sentResult({ temp_submission_data: { a: 'old', b: [1, 2], c: 'x'.repeat(5000) }, partial: true });
    const before = [{ name: 'a', value: 'old' }];
    await intake.finish(aTask({ temporary_submission_data: before }), sent, { freshen: true });
    assert.deepEqual(summaryOf(outcomes).temporaryData, { b: [1, 2] });
  });

  it('stores a failure for good alone, and tells the dispatcher of any', async (context) => {
    const { intake, errors, outcomes } = await setUp(context);
    const failure = (status: string) => ({
      response: { message: 'crashed', service_name: 'Mini', service_version: '4.7.4.25', status },
      sha256: SHA256,
      type: 'EXCEPTION',
    });
    await intake.fail(aTask(), failure('FAIL_RECOVERABLE'));
    assert.equal(await errors.count({ query: { kind: 'all' } }, ACCESS), 0);
    await intake.fail(aTask(), failure('FAIL_NONRECOVERABLE'));
    const [first, second] = outcomes;
    assert.ok(first?.kind === 'error' && first.isRecoverable);
    assert.ok(second?.kind === 'error' && !second.isRecoverable);
    assert.match(second.key, /\.e1$/);
    assert.equal((await errors.get(second.key, ACCESS))?.expiry_ts, '2026-01-04T03:04:05.000000Z');
  });

  it('refuses what is wrong, says where, and stores nothing', async (context) => {
    const { intake, results, errors, emptyResults, outcomes } = await setUp(context);
    const withSection = (changes: object) => sentResult({ result: { sections: [section(changes)] } });
    const wrong: readonly (readonly [unknown, RegExp])[] = [
      [null, /^result must be an object/],
      ['text', /^result must be an object/],
      [{}, /result\.response must be an object/],
      [sentResult({ sha256: CHILD }), /about the file b{64}, not about a{64}/],
      [sentResult({ response: { service_name: 'Other' } }), /about the service Other/],
      [sentResult({ classification: 'SECRET SAUCE' }), /SECRET SAUCE/],
      [sentResult({ classification: 5 }), /classification/],
      [sentResult({ result: { sections: {} } }), /sections must be a list/],
      [sentResult({ result: { sections: Array.from({ length: 10_001 }, () => section()) } }), /at most 10000/],
      [withSection({ depth: 1 }), /sections\.0\.depth must be a depth from 0 to 0/],
      [withSection({ depth: -1 }), /depth/],
      [withSection({ title_text: '' }), /title_text/],
      [withSection({ body: '' }), /body/],
      [withSection({ body: { a: 1 } }), /body/],
      [withSection({ body_format: 'NEW' }), /body_format/],
      [withSection({ classification: 'NO' }), /NO/],
      [withSection({ heuristic: 1 }), /heuristic must be an object/],
      [withSection({ heuristic: { heur_id: 1, signatures: { a: 'x' } } }), /signatures\.a must be an integer/],
      [withSection({ heuristic: { heur_id: 1, attack_ids: [1] } }), /attack_ids/],
      [withSection({ heuristic: { heur_id: 1, frequency: 1e9 } }), /frequency/],
      [withSection({ promote_to: 'MOON' }), /promote_to/],
      [sentResult({ response: { extracted: [file('short')] } }), /sha256/],
      [sentResult({ response: { extracted: [file(CHILD, { classification: 'NO' })] } }), /NO/],
      [sentResult({ temp_submission_data: [] }), /temp_submission_data/],
    ];
    for (const [sent, message] of wrong) {
      await assert.rejects(intake.finish(aTask(), sent, { freshen: true }), { kind: 'invalid_input', message });
    }
    const many = withSection({
      tags: { file: { behavior: Array.from({ length: 60_000 }, (_, index) => `b${index}`) } },
    });
    await assert.rejects(intake.finish(aTask(), many, { freshen: true }), { code: 'too_many_tags' });
    const list = withSection({
      tags: { file: { behavior: Array.from({ length: 10_001 }, (_, index) => `b${index}`) } },
    });
    await assert.rejects(intake.finish(aTask(), list, { freshen: true }), { code: 'list_too_long' });
    const notices = { freshen: true, errors: [{ message: 'x', error_type: 'NEW' }] };
    await assert.rejects(intake.finish(aTask(), sentResult(), notices), {
      code: 'invalid_result',
      message: /error_type/,
    });
    for (const error of [null, {}, { response: {} }, { sha256: CHILD, response: { service_name: 'Mini' } }]) {
      await assert.rejects(intake.fail(aTask(), error), { kind: 'invalid_input' });
    }
    assert.equal(outcomes.length, 0);
    for (const collection of [results, errors, emptyResults]) {
      assert.equal(await collection.count({ query: { kind: 'all' } }, ACCESS), 0);
    }
  });
});

describe('ResultIntake.cached', () => {
  const SERVICE = { version: '4.7.4.25', disable_cache: false };
  const sent = sentResult({
    result: { sections: [section({ heuristic: { heur_id: 1 }, tags: { file: { behavior: ['runs'] } } })] },
    response: { extracted: [file(CHILD)] },
  });

  it('answers a task with the result that is stored, and renews it', async (context) => {
    const { intake, known, results, outcomes, freshened } = await setUp(context);
    known.add(CHILD);
    await intake.finish(aTask(), sent, { freshen: true });
    freshened.length = 0;
    const outcome = await intake.cached(aTask({ ttl: 9 }), SERVICE);
    assert.deepEqual(outcome, { kind: 'result', summary: { ...summaryOf(outcomes), temporaryData: {} } });
    assert.deepEqual(
      freshened.map((one) => [one.sha256, one.expiry]),
      [
        [CHILD, '2026-01-11T03:04:05.000000Z'],
        [SHA256, '2026-01-11T03:04:05.000000Z'],
      ],
    );
    const { key } = summaryOf(outcomes);
    assert.equal((await results.get(key, ACCESS))?.expiry_ts, '2026-01-11T03:04:05.000000Z');
    await intake.cached(aTask({ ttl: 1 }), SERVICE);
    assert.equal((await results.get(key, ACCESS))?.expiry_ts, '2026-01-11T03:04:05.000000Z');
    await intake.cached(aTask({ ttl: 0 }), SERVICE);
    assert.equal((await results.get(key, ACCESS))?.expiry_ts, undefined);
  });

  it('answers with an empty result too', async (context) => {
    const { intake, outcomes } = await setUp(context);
    await intake.finish(aTask(), sentResult(), { freshen: true });
    assert.deepEqual(await intake.cached(aTask(), SERVICE), { kind: 'result', summary: summaryOf(outcomes) });
  });

  it('does not answer for other parameters, nor when the cache is off', async (context) => {
    const { intake, known } = await setUp(context);
    known.add(CHILD);
    await intake.finish(aTask(), sent, { freshen: true });
    const other: readonly Partial<Task>[] = [
      { service_config: { deep: true } },
      { min_classification: 'TLP:A' },
      { deep_scan: true },
      { max_files: 1 },
      { ignore_filtering: true },
      { ignore_cache: true },
    ];
    for (const changes of other) assert.equal(await intake.cached(aTask(changes), SERVICE), undefined);
    assert.equal(await intake.cached(aTask(), { ...SERVICE, version: '5' }), undefined);
    assert.equal(await intake.cached(aTask(), { ...SERVICE, toolVersion: 'rules 2' }), undefined);
    assert.equal(await intake.cached(aTask(), { ...SERVICE, disable_cache: true }), undefined);
    const { cache_hit, cache_miss, cache_skipped } = intake.counts.of(aTask().service_name);
    assert.deepEqual([cache_hit, cache_miss, cache_skipped], [0, 7, 2]);
    assert.notEqual(await intake.cached(aTask(), { ...SERVICE, toolVersion: '' }), undefined);
  });

  it('does not answer when files of the result are gone', async (context) => {
    const { intake, known } = await setUp(context);
    known.add(CHILD);
    await intake.finish(aTask(), sent, { freshen: true });
    known.delete(CHILD);
    assert.equal(await intake.cached(aTask(), SERVICE), undefined);
  });

  it('ends the task with an error when its own file is gone', async (context) => {
    const { intake, known, errors } = await setUp(context);
    known.add(CHILD);
    await intake.finish(aTask(), sent, { freshen: true });
    known.delete(SHA256);
    const outcome = await intake.cached(aTask(), SERVICE);
    assert.ok(outcome?.kind === 'error' && !outcome.isRecoverable);
    assert.match(outcome.key, /\.e30$/);
    assert.equal((await errors.get(outcome.key, ACCESS))?.type, 'TASK PRE-EMPTED');
  });
});

const setUp = (context: TestContext) => openIntake(context, { now: NOW });

function summaryOf(outcomes: readonly TaskOutcome[]): ResultSummary {
  const [outcome] = outcomes;
  assert.ok(outcome?.kind === 'result');
  return outcome.summary;
}
