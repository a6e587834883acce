import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pythonBytes, pythonJson } from './python-json.ts';
import { errorKey, isEmptyKey, randomSalt, resultKey } from './result-keys.ts';

const SHA256 = 'a'.repeat(64);
const TASK = {
  service_config: {},
  deep_scan: false,
  ignore_filtering: false,
  max_files: 500,
  min_classification: 'TLP:C',
};
const PARTS = { sha256: SHA256, service: 'Mini', version: '4.7.4.25' };

function configurationOf(toolVersion: string | undefined, task: Partial<typeof TASK> = {}): string {
  const key = resultKey({ ...PARTS, toolVersion, task: { ...TASK, ...task } });
  return key.slice(key.lastIndexOf('.c') + 2);
}

describe('the keys of results', () => {
  it('are those of the public system', () => {
    assert.equal(configurationOf(undefined), '194ZBEYk2AF');
    assert.equal(configurationOf(''), '242JuOAVHPz');
    assert.equal(configurationOf('tv1'), 'LWqrJnz8wIz');
    assert.equal(configurationOf(undefined, { service_config: { b: 1, a: 'x' } }), 'IFcD2N6Q0My');
    assert.equal(configurationOf(undefined, { deep_scan: true }), '8upin56EHOl');
    assert.equal(configurationOf('tv1', { service_config: { p: true } }), '3olQ5NwuYM7');
  });

  it('name file, service and version without dots, and end in .e when the result is empty', () => {
    const key = resultKey({ sha256: SHA256, service: 'My.Service', version: '4.7.stable1', isEmpty: true });
    assert.equal(key, `${SHA256}.My_Service.v4_7_stable1.c0.e`);
    assert.ok(isEmptyKey(key));
    assert.ok(!isEmptyKey(resultKey(PARTS)));
  });

  it('differ with a salt', () => {
    const salted = () => resultKey({ ...PARTS, task: TASK, salt: randomSalt() });
    assert.notEqual(salted(), salted());
    assert.match(salted(), /^a{64}\.Mini\.v4_7_4_25\.c[0-9A-Za-z]+$/);
  });

  it('of errors end in the number of their type, and in a random one beside a result', () => {
    assert.equal(errorKey({ ...PARTS, type: 'TASK PRE-EMPTED' }), `${SHA256}.Mini.v4_7_4_25.c0.e30`);
    assert.equal(errorKey({ ...PARTS, type: 'EXCEPTION', task: TASK }), `${SHA256}.Mini.v4_7_4_25.c194ZBEYk2AF.e1`);
    assert.match(errorKey({ ...PARTS, type: 'EXCEPTION', unique: true }), /\.c0\.e1\.\d+$/);
  });

  it('are hashed in the text forms of Python', () => {
    assert.equal(
      pythonJson([
        ['ä', 'x"y'],
        ['b', [1.5, null, true, { c: 2 }]],
      ]),
      '[["\\u00e4", "x\\"y"], ["b", [1.5, null, true, {"c": 2}]]]',
    );
    assert.equal(pythonBytes(Buffer.from(`it's`)), `b"it's"`);
    assert.equal(pythonBytes(Buffer.from(`'"\\\n\u0001é`)), `b'\\'"\\\\\\n\\x01\\xc3\\xa9'`);
  });
});
