import assert from 'node:assert/strict';
import { it } from 'node:test';
import { DEFAULT_CLASSIFICATION, DEMO_CLASSIFICATION } from '../../../../../src/classification/builtin-definitions.ts';
import { ClassificationEngine } from '../../../../../src/classification/classification.ts';
import { readClassificationDefinition } from '../../../../../src/classification/classification-definition.ts';
import { classificationLook } from './classification-look.ts';

const parsed = (text: string) =>
  new ClassificationEngine(readClassificationDefinition(text, 'test')).parsedDefinition();

it('takes the colours of the definition', () => {
  const tlp = parsed(DEFAULT_CLASSIFICATION);
  assert.equal(classificationLook('TLP:CLEAR', tlp).tone, 'plain');
  assert.equal(classificationLook('TLP:G', tlp).tone, 'done');
  assert.equal(classificationLook('TLP:AMBER+STRICT//CMR', tlp).tone, 'medium');
  assert.equal(classificationLook('RESTRICTED', tlp).tone, 'medium');
  const demo = parsed(DEMO_CLASSIFICATION);
  assert.equal(classificationLook('restricted//admin//any/group 1', demo).tone, 'accent');
});

it('takes colours that are written as such, with letters that are read on them', () => {
  const of = (color: string) => classificationLook('A', { levels_styles_map: { A: { color } } });
  assert.deepEqual(of('#F00').own, { ground: '#ff0000', letters: '#000000' });
  assert.deepEqual(of('#00007f').own, { ground: '#00007f', letters: '#ffffff' });
  for (const hostile of ['red;background:url(//x)', 'url(x)', '#12', 'expression(1)', 'constructor', '__proto__']) {
    assert.deepEqual(of(hostile), { tone: 'plain' });
  }
});

it('is plain for what is not defined', () => {
  for (const text of ['', 'NONE', '__proto__', 'constructor//X']) {
    assert.deepEqual(classificationLook(text, parsed(DEFAULT_CLASSIFICATION)), { tone: 'plain' });
    assert.deepEqual(classificationLook(text, undefined), { tone: 'plain' });
  }
});
