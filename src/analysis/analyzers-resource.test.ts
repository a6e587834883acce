import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chosenAnalyzers } from './analyzers-resource.ts';

describe('the setting analysis.analyzers.enabled', () => {
  it('takes all, none or names without regard to case', () => {
    const names = (words: readonly string[]) => chosenAnalyzers(words).map(({ name }) => name);
    assert.deepEqual(names(['all']), ['Characterize', 'Extract']);
    assert.deepEqual(names(['None']), []);
    assert.deepEqual(names([]), []);
    assert.deepEqual(names(['extract']), ['Extract']);
  });

  it('names the analyzers that there are when one is unknown', () => {
    assert.throws(() => chosenAnalyzers(['Extract', 'Yara']), {
      code: 'invalid_setting',
      message: /must be all, none or a list of Characterize, Extract\. "Yara" is not allowed\./,
    });
    assert.throws(() => chosenAnalyzers(['all', 'Extract']), /"all" is not allowed/);
  });
});
