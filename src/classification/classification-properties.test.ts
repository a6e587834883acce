import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fastCheck from 'fast-check';
import { BRANCHES } from '../testing/branches-classification.ts';
import { loadClassification } from './classification.ts';

const engine = loadClassification(BRANCHES);

/** Texts that the definition allows. */
const text = fastCheck
  .record({
    level: fastCheck.constantFrom('L0', 'Open', 'Level 1', 'L2'),
    required: fastCheck.subarray(['LE', 'AC', 'ORCON', 'NOCON']),
    groups: fastCheck.subarray(['A', 'B', 'Group X']),
    subgroups: fastCheck.subarray(['R1', 'R2', 'R0']),
    lowerCase: fastCheck.boolean(),
  })
  .map(({ level, required, groups, subgroups, lowerCase }) => {
    const groupPart = [...(groups.length > 0 ? [`REL TO ${groups.join(', ')}`] : []), ...subgroups].join('/');
    const whole = [level, required.join('/'), groupPart].filter((part) => part !== '').join('//');
    return lowerCase ? whole.toLowerCase() : whole;
  });

/** The result, or that there is none. */
const attempt = (make: () => string): string => {
  try {
    return make();
  } catch (error) {
    assert.equal((error as { code?: string }).code, 'invalid_classification');
    return 'refused';
  }
};
const check = <Values extends [unknown, ...unknown[]]>(property: fastCheck.IProperty<Values>) =>
  fastCheck.assert(property, { numRuns: 500 });

describe('classification, for any text', () => {
  it('normalises to a form that stays', () => {
    check(
      fastCheck.property(text, fastCheck.boolean(), (one, short) => {
        const normal = engine.normalise(one, { short });
        assert.equal(engine.normalise(normal, { short }), normal);
        assert.equal(engine.isValid(normal), true);
      }),
    );
  });

  it('says the same in long and in short form', () => {
    check(
      fastCheck.property(text, (one) => {
        const parts = engine.parse(one);
        assert.deepEqual(engine.parse(engine.normalise(one)), parts);
        assert.deepEqual(engine.parse(engine.normalise(one, { short: true })), parts);
      }),
    );
  });

  it('combines without regard to the order', () => {
    check(
      fastCheck.property(text, text, (left, right) => {
        assert.equal(engine.min(left, right), engine.min(right, left));
        assert.equal(engine.buildUser(left, right), engine.buildUser(right, left));
        assert.equal(engine.intersectUser(left, right), engine.intersectUser(right, left));
        const max = attempt(() => engine.max(left, right));
        const swapped = attempt(() => engine.max(right, left));
        assert.equal(max, swapped);
      }),
    );
  });

  it('combines something with itself to itself', () => {
    check(
      fastCheck.property(text, (one) => {
        assert.equal(engine.max(one, one), engine.normalise(one));
        assert.equal(engine.min(one, one), engine.normalise(one));
      }),
    );
  });

  it('hides the maximum from anyone who may not see both parts', () => {
    // A subgroup that requires a group adds that one to the groups that may see it, regardless of what it is combined with.
    const plain = text.filter((one) => !/R2/i.test(one));
    check(
      fastCheck.property(text, plain, plain, (user, left, right) => {
        const max = attempt(() => engine.max(left, right));
        if (max === 'refused' || !engine.isAccessible(user, max)) return;
        assert.equal(engine.isAccessible(user, left), true);
        assert.equal(engine.isAccessible(user, right), true);
      }),
    );
  });

  it('shows more to a user who is given more', () => {
    check(
      fastCheck.property(text, text, text, (user, more, document) => {
        if (!engine.isAccessible(user, document)) return;
        assert.equal(engine.isAccessible(engine.buildUser(user, more), document), true);
      }),
    );
  });

  it('shows no more to a user who is given less', () => {
    check(
      fastCheck.property(text, text, text, (user, less, document) => {
        if (!engine.isAccessible(engine.intersectUser(user, less), document)) return;
        assert.equal(engine.isAccessible(user, document), true);
      }),
    );
  });

  it('answers any input with a result or a refusal', () => {
    check(fastCheck.property(fastCheck.string(), (any) => void attempt(() => engine.normalise(any))));
    check(fastCheck.property(fastCheck.string(), (any) => void attempt(() => engine.normalise(`L1//${any}`))));
  });
});
