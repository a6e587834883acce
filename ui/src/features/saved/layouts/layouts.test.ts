import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Layout, nameOfLayout, queryOfLayout } from './layouts.ts';

const whole: Layout = { analytic: 'Cloud Guard', type: 'global' };
const detected: Layout = { ...whole, detection: 'New country' };

describe('the alerts of a template or overview', () => {
  it('are those of its detection', () => {
    assert.equal(
      queryOfLayout(detected, [whole, detected]),
      'howler.analytic:"Cloud Guard" AND howler.detection:"New country"',
    );
    assert.equal(nameOfLayout(detected), 'Cloud Guard · New country');
  });

  it('are those of its analytic whose detections have no other one for the same people', () => {
    const analytic = 'howler.analytic:"Cloud Guard"';
    assert.equal(queryOfLayout(whole, [whole]), analytic);
    assert.equal(
      queryOfLayout(whole, [whole, { ...detected, analytic: 'cloud guard' }]),
      `${analytic} AND NOT howler.detection:("New country")`,
    );
    const mine: Layout = { ...whole, type: 'personal', owner: 'huey' };
    const others: readonly Layout[] = [
      { ...detected, analytic: 'Phish Lens' },
      { ...detected, type: 'personal', owner: 'huey' },
    ];
    assert.equal(queryOfLayout(whole, others), analytic);
    assert.equal(queryOfLayout(mine, [{ ...detected, type: 'personal', owner: 'goose' }]), analytic);
    assert.equal(queryOfLayout(mine, others), `${analytic} AND NOT howler.detection:("New country")`);
    assert.equal(nameOfLayout(whole), 'Cloud Guard');
  });
});
