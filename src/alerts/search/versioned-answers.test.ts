import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { VersionedAnswers } from './item-shape.ts';

describe('VersionedAnswers', () => {
  it('shapes an answer once for each key', () => {
    const answers = new VersionedAnswers();
    const first = answers.of('1---1 a', () => ({ b: 1, a: 'before' }));
    assert.equal(first.text, '{"a":"before","b":1}');
    assert.equal(
      answers.of('1---1 a', () => assert.fail('it is shaped again')),
      first,
    );
    assert.equal(answers.of('2---1 a', () => ({ a: 'after' })).text, '{"a":"after"}');
    assert.equal(answers.of('1---1 b', () => ({ a: 'other' })).text, '{"a":"other"}');
  });

  it('evicts the least recently used rather than grow', () => {
    const answers = new VersionedAnswers();
    const large = () => 'x'.repeat(3_000_000);
    const [first, second] = ['a', 'b'].map((key) => answers.of(key, large));
    assert.equal(answers.of('a', large), first);
    answers.of('c', large);
    assert.equal(answers.of('a', large), first);
    assert.notEqual(answers.of('b', large), second);
  });
});
