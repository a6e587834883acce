import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  aCaller,
  anAction,
  type OfferingSource,
  openOfferingSources,
} from '../../../testing/enrichment/offering-sources.ts';
import { SourceFailure } from '../../sources/source-failure.ts';
import { ActionService } from './action-service.ts';

const CLEAR = aCaller('TLP:CLEAR');
const AMBER = aCaller('TLP:AMBER');
const DONE = { outcome: 'success', summary: 'done', output: 'text', format: 'markdown' };
const BODY = { selector: { type: 'domain', value: 'x' } };

describe('ActionService.list', () => {
  const sources: Readonly<Record<string, OfferingSource>> = {
    open: {
      actions: async () => ({ all: anAction('all'), amber: anAction('amber', { classification: 'TLP:AMBER' }) }),
    },
    closed: { classification: 'TLP:AMBER', actions: async () => ({ one: anAction('one') }) },
    wrong: { actions: async () => ({ good: anAction('good'), bad: anAction('Bad') }) },
    list: { actions: async () => [anAction('one')] },
    nothing: { actions: async () => null },
    many: {
      actions: async () => Object.fromEntries(Array.from({ length: 1001 }, (_, at) => [`a${at}`, anAction(`a${at}`)])),
    },
    down: {
      actions: async () => {
        throw new SourceFailure('unreachable', 'refused');
      },
    },
    broken: {
      actions: async () => {
        throw new TypeError('a defect');
      },
    },
  };

  it('has what the caller may see of the sources that answer correctly', async () => {
    const { service, warnings } = open(sources);
    assert.deepEqual(Object.keys(await service.list(CLEAR)), ['open.all']);
    assert.deepEqual(Object.keys(await service.list(AMBER)), ['open.all', 'open.amber', 'closed.one']);
    assert.equal(warnings.filter((line) => line.startsWith('the source down')).length, 2);
    assert.ok(warnings.some((line) => line.startsWith('the action bad of the source wrong is not valid')));
  });

  it('asks all sources at once, each time', async () => {
    let asked = 0;
    let release = () => {};
    const all = new Promise<void>((resolve) => {
      release = resolve;
    });
    const actions = async () => {
      asked += 1;
      if (asked % 2 === 0) release();
      await all;
      return {};
    };
    const { service } = open({ a: { actions }, b: { actions } });
    await service.list(CLEAR);
    await service.list(CLEAR);
    assert.equal(asked, 4);
  });
});

describe('ActionService.run', () => {
  it('passes the body on as it is, once', async () => {
    const calls: unknown[] = [];
    const { run } = openRunning(async (id, body) => {
      calls.push([id, body]);
      return DONE;
    });
    const body = { ...BODY, level: null, anything: [1, { a: null }] };
    assert.deepEqual(await run({ body }), DONE);
    assert.deepEqual(calls, [['note', body]]);
  });

  it('refuses sources and actions that listings hide, and asks neither', async () => {
    let runs = 0;
    const { service } = open({
      closed: { classification: 'TLP:AMBER', actions: async () => ({}), runAction: async () => (runs += 1) },
      open: {
        actions: async () => ({
          amber: anAction('amber', { classification: 'TLP:AMBER' }),
          // Not valid, and still known to be above the caller.
          odd: { id: 'odd', classification: 'TLP:AMBER' },
          none: { id: 'none', classification: 5 },
        }),
        runAction: async () => (runs += 1),
      },
    });
    for (const source of ['closed', 'unknown', 'Open']) {
      const run = { source, action: 'any', body: {}, timeout: undefined };
      const message = `Plugin ${source} does not exist.`;
      await assert.rejects(service.run(run, CLEAR), { code: 'source_missing', message });
    }
    for (const action of ['amber', 'odd', 'none']) {
      const run = { source: 'open', action, body: {}, timeout: undefined };
      await assert.rejects(service.run(run, CLEAR), { code: 'offer_missing' }, action);
    }
    assert.equal(runs, 0);
  });

  it('leaves an action that is not listed to the source, also when another one is not valid', async () => {
    const { service } = open({
      open: { actions: async () => ({ bad: {}, good: anAction('good') }), runAction: async () => DONE },
    });
    for (const action of ['good', 'unlisted', 'constructor']) {
      assert.deepEqual(await service.run({ source: 'open', action, body: {}, timeout: undefined }, CLEAR), DONE);
    }
  });

  it('does not run what it cannot check', async () => {
    let runs = 0;
    const runAction = async () => (runs += 1);
    for (const actions of [
      async () => null,
      async () => {
        throw new SourceFailure('status', 'status 500', { status: 500 });
      },
    ]) {
      const { service } = open({ open: { actions, runAction } });
      const run = service.run({ source: 'open', action: 'note', body: {}, timeout: undefined }, CLEAR);
      await assert.rejects(run, { code: 'action_failed' });
    }
    assert.equal(runs, 0);
  });

  it('refuses selectors above what the source may learn, and classifications that are none', async () => {
    const { run } = openRunning(async () => DONE);
    const of = (classification: unknown) => ({ type: 'domain', value: 'x', classification });
    for (const body of [{ selector: of('TLP:AMBER') }, { selectors: [of('TLP:CLEAR'), of('TLP:AMBER')] }]) {
      await assert.rejects(run({ body }), {
        code: 'selector_above_source',
        kind: 'forbidden',
        message: 'Selector classification (TLP:AMBER) exceeds max classification of source: plugin (TLP:GREEN).',
      });
    }
    for (const classification of ['NONSENSE', 5, {}, ['TLP:CLEAR']]) {
      const wrong = run({ body: { selectors: [of(classification)] } });
      await assert.rejects(wrong, { code: 'invalid_classification', at: 'selectors.[0].classification' });
    }
    const many = run({ body: { selectors: Array(5001).fill(of('TLP:CLEAR')) } });
    await assert.rejects(many, { code: 'too_many_selectors' });
    for (const body of [{ selector: of('tlp:green') }, { selector: of(null) }, { selector: 'x' }, [of('X')], 'x', 5]) {
      assert.deepEqual(await run({ body }), DONE);
    }
  });

  const formats: Readonly<Record<string, unknown>> = {
    markdown: 'text',
    json: [{ a: null }],
    image: { image: 'https://x.example/i.png', alt: 'i' },
    status: { empty: true, labels: [] },
    'my-own': { any: [1] },
  };
  for (const [format, output] of Object.entries(formats)) {
    it(`has results in the format ${format}`, async () => {
      const { run } = openRunning(async () => ({ outcome: 'success', format, output }));
      assert.deepEqual(await run({}), { outcome: 'success', format, output });
    });
  }

  it('normalises the address of a pivot', async () => {
    const { run } = openRunning(async () => ({ outcome: 'success', format: 'pivot', output: 'http://a.example' }));
    assert.deepEqual(await run({}), { outcome: 'success', format: 'pivot', output: 'http://a.example/' });
  });

  const wrong: Readonly<Record<string, unknown>> = {
    nothing: null,
    'a list': [],
    'another outcome': { outcome: 'perhaps' },
    'success without a format': { outcome: 'success' },
    'an object as markdown': { ...DONE, output: { a: 1 } },
    'a link that is none': { ...DONE, link: 'nope' },
    'a link to a script': { outcome: 'success', format: 'pivot', output: 'javascript:alert(1)' },
    'a failure with a format and no output': { outcome: 'failure', format: 'markdown' },
    'a status without labels in every language': { ...DONE, format: 'status', output: { labels: [] } },
  };
  for (const [what, result] of Object.entries(wrong)) {
    it(`reports ${what} as a bad gateway`, async () => {
      const { run } = openRunning(async () => result);
      await assert.rejects(run({}), { code: 'action_result_invalid', kind: 'upstream_failed' });
    });
  }

  const failures: readonly (readonly [string, SourceFailure, object])[] = [
    [
      'the message of the source',
      new SourceFailure('status', 'status 400', { status: 400, pluginMessage: 'text must not be empty' }),
      { code: 'action_failed', message: 'text must not be empty' },
    ],
    [
      'a source that is down',
      new SourceFailure('unreachable', 'ECONNREFUSED 10.1.2.3'),
      {
        code: 'action_failed',
        message: "Something went wrong when retrieving the result from plugin 'plugin': ConnectionError.",
      },
    ],
    [
      'an unreadable answer',
      new SourceFailure('unusable', 'not JSON'),
      {
        code: 'action_failed',
        message: "Something went wrong when retrieving the result from plugin 'plugin': JSONDecodeError.",
      },
    ],
    [
      'a source that takes too long',
      new SourceFailure('timed_out', 'late'),
      { code: 'action_timed_out', kind: 'upstream_timed_out' },
    ],
    ['a caller who is gone', new SourceFailure('cancelled', 'gone'), { kind: 'cancelled' }],
  ];
  for (const [what, failure, expected] of failures) {
    it(`reports ${what}`, async () => {
      const { run } = openRunning(async () => {
        throw failure;
      });
      await assert.rejects(run({}), expected);
    });
  }

  it('reports a caller without a token, and a limit, as a failure of the action', async () => {
    const retryAt = new Date();
    const refusals = [
      [new SourceFailure('refused', 'no token of ana'), 'Invalid token provided for this enrichment.'],
      [new SourceFailure('refused', 'The limit is reached.', { retryAt }), 'The limit is reached.'],
    ] as const;
    for (const [refusal, summary] of refusals) {
      const { run } = openRunning(async () => {
        throw refusal;
      });
      assert.deepEqual(await run({}), { outcome: 'failure', summary });
    }
  });

  it('does not hide defects of the program', async () => {
    const { run } = openRunning(async () => {
      throw new TypeError('a defect');
    });
    await assert.rejects(run({}), TypeError);
  });

  it('gives the source the time that the caller names, at most five minutes', async () => {
    const { run, deadlines } = openRunning(async () => DONE);
    for (const timeout of ['2.5', 'soon', '', '-1', '1e9', 'Infinity', undefined]) await run({ timeout });
    const seconds = deadlines.map((deadline) => Math.round((deadline - Date.now()) / 500) / 2);
    assert.deepEqual(seconds, [2.5, 30, 30, 30, 300, 300, 30]);
  });
});

type Run = Partial<Parameters<ActionService['run']>[0]>;

/** One source with the action `note`. */
function openRunning(runAction: (id: string, body: unknown) => Promise<unknown>) {
  const deadlines: number[] = [];
  const { service } = open({
    plugin: {
      actions: async () => ({ note: anAction('note') }),
      runAction: async (id, body, { deadline }) => {
        deadlines.push(deadline);
        return runAction(id, body);
      },
    },
  });
  const usual = { source: 'plugin', action: 'note', body: BODY, timeout: undefined };
  return { deadlines, run: (changes: Run) => service.run({ ...usual, ...changes }, CLEAR) };
}

function open(sources: Readonly<Record<string, OfferingSource>>) {
  const { directory, engine, log, warnings } = openOfferingSources(sources);
  return { service: new ActionService({ sources: directory, engine, languages: ['en', 'fr'], log }), warnings };
}
