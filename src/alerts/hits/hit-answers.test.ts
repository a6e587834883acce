import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hitDocument } from '../../documents/kinds/hit.ts';
import { toOutput } from '../../documents/schema/output.ts';
import { readDocument } from '../../documents/schema/read-document.ts';
import { sortedJson } from '../../json/sorted-json.ts';
import { testClassification } from '../../testing/alerts/alert-services.ts';
import { HitAnswers } from './hit-answers.ts';

const hit = (message: string) =>
  readDocument(
    hitDocument,
    { 'howler.analytic': 'Probe', 'howler.hash': 'ab12', message },
    { unknown: 'refuse', classification: testClassification },
  ).document;

describe('HitAnswers', () => {
  it('gives the text of the present version, and of no other', () => {
    const answers = new HitAnswers();
    const before = { document: hit('before'), version: '1---1' };
    const after = { document: hit('after'), version: '2---1' };
    for (const versioned of [before, after, before, after]) {
      assert.equal(answers.of('a', versioned).text, sortedJson(toOutput(hitDocument, versioned.document)));
    }
    assert.equal(answers.of('a', after), answers.of('a', after));
  });

  it('tells hits of one version apart', () => {
    const answers = new HitAnswers();
    const first = answers.of('a', { document: hit('first'), version: '1---1' });
    assert.notEqual(answers.of('b', { document: hit('second'), version: '1---1' }).text, first.text);
  });

  it('forgets what was not asked for lately rather than grow', () => {
    const answers = new HitAnswers();
    const large = { document: hit('x'.repeat(3_000_000)), version: '1---1' };
    const [first, second] = ['a', 'b'].map((id) => answers.of(id, large));
    assert.equal(answers.of('a', large), first);
    answers.of('c', large);
    assert.equal(answers.of('a', large), first, 'the one asked for lately');
    assert.notEqual(answers.of('b', large), second, 'the other');
  });
});
