import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { aCaller, anAction, type OfferingSource } from '../../../testing/enrichment/offering-sources.ts';
import {
  ACTION_BODY,
  ACTION_CALLER,
  ACTION_RESULT,
  openAction,
  openActions,
} from '../../../testing/enrichment/open-actions.ts';
import { SourceFailure } from '../../sources/source-failure.ts';

const AMBER = aCaller('TLP:AMBER');

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
    const { service, warnings } = openActions(sources);
    assert.deepEqual(Object.keys(await service.list(ACTION_CALLER)), ['open.all']);
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
    const { service } = openActions({ a: { actions }, b: { actions } });
    await service.list(ACTION_CALLER);
    await service.list(ACTION_CALLER);
    assert.equal(asked, 4);
  });
});

describe('ActionService.run', () => {
  it('passes the body on unchanged, once', async () => {
    const calls: unknown[] = [];
    const { run } = openAction(async (id, body) => {
      calls.push([id, body]);
      return ACTION_RESULT;
    });
    const body = { ...ACTION_BODY, level: null, anything: [1, { a: null }] };
    assert.deepEqual(await run({ body }), ACTION_RESULT);
    assert.deepEqual(calls, [['note', body]]);
  });

  it('refuses sources and actions that listings hide, and asks neither', async () => {
    let runs = 0;
    const { service } = openActions({
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
      await assert.rejects(service.run(run, ACTION_CALLER), { code: 'source_missing', message });
    }
    for (const action of ['amber', 'odd', 'none']) {
      const run = { source: 'open', action, body: {}, timeout: undefined };
      await assert.rejects(service.run(run, ACTION_CALLER), { code: 'offer_missing' }, action);
    }
    assert.equal(runs, 0);
  });

  it('leaves an action that is not listed to the source, also when another one is not valid', async () => {
    const { service } = openActions({
      open: { actions: async () => ({ bad: {}, good: anAction('good') }), runAction: async () => ACTION_RESULT },
    });
    for (const action of ['good', 'unlisted', 'constructor']) {
      assert.deepEqual(
        await service.run({ source: 'open', action, body: {}, timeout: undefined }, ACTION_CALLER),
        ACTION_RESULT,
      );
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
      const { service } = openActions({ open: { actions, runAction } });
      const run = service.run({ source: 'open', action: 'note', body: {}, timeout: undefined }, ACTION_CALLER);
      await assert.rejects(run, { code: 'action_failed' });
    }
    assert.equal(runs, 0);
  });

  it('refuses selectors above what the source may learn, and invalid classifications', async () => {
    const { run } = openAction(async () => ACTION_RESULT);
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
      assert.deepEqual(await run({ body }), ACTION_RESULT);
    }
  });

  it('does not hide defects of the program', async () => {
    const { run } = openAction(async () => {
      throw new TypeError('a defect');
    });
    await assert.rejects(run({}), TypeError);
  });

  it('gives the source the time that the caller names, at most five minutes', async () => {
    const { run, deadlines } = openAction(async () => ACTION_RESULT);
    for (const timeout of ['2.5', 'soon', '', '-1', '1e9', 'Infinity', undefined]) await run({ timeout });
    const seconds = deadlines.map((deadline) => Math.round((deadline - Date.now()) / 500) / 2);
    assert.deepEqual(seconds, [2.5, 30, 30, 30, 300, 300, 30]);
  });
});
