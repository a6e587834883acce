import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Triage } from '../alert.ts';
import { MAX_SINGLE, planBulk } from './bulk-plan.ts';

const OPEN: Triage = { status: 'open', assignment: 'unassigned', escalation: 'hit' };
const targets = (count: number, seen: Partial<Triage> = {}) =>
  Array.from({ length: count }, (_, index) => ({ id: `${seen.status ?? 'open'}${index}`, seen: { ...OPEN, ...seen } }));
const as = (...roles: string[]) => ({ me: 'ana', offered: {}, roles });
const take = { kind: 'take' } as const;
const sizes = (parts: readonly { readonly targets: readonly unknown[] }[]) => parts.map((part) => part.targets.length);

describe('the plan of a bulk', () => {
  it('takes single requests up to fifty, and an action above', () => {
    assert.equal(planBulk(take, targets(MAX_SINGLE), as('admin')).singles.length, MAX_SINGLE);
    const plan = planBulk(take, targets(MAX_SINGLE + 1), as('admin'));
    assert.deepEqual([plan.singles.length, sizes(plan.parts)], [0, [MAX_SINGLE + 1]]);
  });

  it('cuts into parts that the roles allow', () => {
    assert.deepEqual(
      sizes(planBulk(take, targets(250), as('automation_advanced', 'actionrunner_basic')).parts),
      [100, 100, 50],
    );
    assert.equal(planBulk(take, targets(200), as('actionrunner_basic')).parts.length, 20);
    const label = { kind: 'label', set: 'generic', add: ['vpn'], remove: [] } as const;
    assert.deepEqual(sizes(planBulk(label, targets(51), as('automation_basic')).parts), [20, 20, 11]);
  });

  it('keeps to single requests where the person may not run the action, or no action does it', () => {
    assert.equal(planBulk(take, targets(200), as('user')).singles.length, 200);
    assert.equal(planBulk({ kind: 'file', caseId: 'c' }, targets(60), as('actionrunner_basic')).singles.length, 60);
    assert.equal(planBulk({ kind: 'comment', text: 'x' }, targets(60), as('admin')).singles.length, 60);
  });

  it('groups by what has to be done, and opens resolved alerts first', () => {
    const assess = { kind: 'assess', assessment: 'recon' } as const;
    const plan = planBulk(assess, [...targets(40), ...targets(40, { status: 'resolved' })], as('admin'));
    assert.deepEqual(
      plan.parts.map(({ operations }) => operations.map(({ data }) => [data.status, data.transition])),
      [
        [['open', 'assess']],
        [
          ['resolved', 're_evaluate'],
          ['in-progress', 'assess'],
        ],
      ],
    );
  });

  it('leaves out alerts that the change makes no sense for', () => {
    const mine = targets(2, { status: 'in-progress', assignment: 'ana' });
    const plan = planBulk(take, [...mine, ...targets(3)], as('admin'));
    assert.deepEqual(
      [plan.singles.length, plan.refused.map(({ refusal }) => refusal)],
      [3, ['alreadyYours', 'alreadyYours']],
    );
  });
});
