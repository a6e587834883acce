import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Result, resultDocument } from '../kinds/analysis/result.ts';
import { type Hit, hitDocument } from '../kinds/hit.ts';
import { type User, userDocument } from '../kinds/user.ts';
import { stampAccess, storedFieldsOnly, toOutput } from './output.ts';

/** A document as another program or an older version may have stored it. */
const stored = {
  id: 'i',
  __index: 'hit',
  __access_lvl__: 100,
  unknown: 1,
  timestamp: '2025-01-05T10:00:00+00:00',
  classification: 'U',
  agent: { id: null },
  source: { ip: '1.2.3.4', port: null },
  labels: { a: 'b', c: null },
  howler: {
    id: 'i',
    analytic: 'a',
    hash: 'h',
    escalation: null,
    score: null,
    data: ['raw'],
    comment: [{ id: 'c', value: 'v', user: 'u', timestamp: null }],
    outline: null,
  },
} as unknown as Hit;

describe('toOutput', () => {
  const output = toOutput(hitDocument, stored);

  it('leaves out nulls, empty optional objects, hidden and unknown fields', () => {
    assert.deepEqual(Object.keys(output).sort(), [
      '__index',
      'classification',
      'ecs',
      'howler',
      'labels',
      'message',
      'source',
      'tags',
      'timestamp',
    ]);
    assert.deepEqual(output.source, { ip: '1.2.3.4' });
    assert.deepEqual(output.labels, { a: 'b' });
    assert.equal('score' in output.howler, false);
    assert.equal('outline' in output.howler, false);
  });

  it('shows defaults for fields that are missing or null, but makes up no time', () => {
    assert.equal(output.howler.escalation, 'hit');
    assert.equal(output.howler.assignment, 'unassigned');
    assert.deepEqual(output.howler.votes, { benign: [], obscure: [], malicious: [] });
    assert.deepEqual(output.ecs, { version: '8.3.0' });
    assert.deepEqual(output.howler.comment[0], { id: 'c', value: 'v', user: 'u', reactions: {} });
  });

  it('writes dates in one form', () => assert.equal(output.timestamp, '2025-01-05T10:00:00.000000Z'));

  it('leaves the document alone', () => assert.equal(stored.howler.escalation, null));
});

describe('storedFieldsOnly', () => {
  it('leaves raw records and hidden fields out of alerts', () => {
    const item = storedFieldsOnly(hitDocument, stored) as { howler: Record<string, unknown> };
    assert.equal('data' in item.howler, false);
    assert.equal('__access_lvl__' in item, false);
    assert.equal('id' in item, false);
    assert.equal(item.howler.analytic, 'a');
  });

  it('leaves secrets and settings out of users', () => {
    const user = {
      uname: 'u',
      name: 'n',
      password: 'secret',
      apikeys: { k: {} },
      dashboard: [{ entry_id: 'e' }],
    } as unknown as User;
    assert.deepEqual(storedFieldsOnly(userDocument, user), { uname: 'u', name: 'n' });
  });
});

describe('stampAccess', () => {
  const parts = { __access_lvl__: 7, __access_req__: ['R'], __access_grp1__: ['G'], __access_grp2__: ['__EMPTY__'] };

  it('sets the access fields of classified kinds', () => {
    const stamped = stampAccess(hitDocument, stored, (classification) => {
      assert.equal(classification, 'U');
      return parts;
    });
    assert.deepEqual({ ...stamped, ...parts }, stamped);
  });

  it('leaves other kinds as they are, and refuses a classified document without classification', () => {
    const user = { uname: 'u' } as User;
    assert.equal(
      stampAccess(userDocument, user, () => assert.fail()),
      user,
    );
    assert.throws(() => stampAccess(hitDocument, {} as Hit, () => parts), /without classification/);
  });

  it('demands of readers what any classified part does', () => {
    const access = (level: number, required: string[], group: string) => ({
      __access_lvl__: level,
      __access_req__: required,
      __access_grp1__: [group],
      __access_grp2__: ['__EMPTY__'],
    });
    const known: Readonly<Record<string, typeof parts>> = {
      U: access(1, [], '__EMPTY__'),
      R: access(5, ['X'], 'G'),
      S: access(3, ['Y'], 'H'),
    };
    const stampOf = (sections: string[], files: string[]) => {
      const document = {
        classification: 'U',
        result: { sections: sections.map((classification) => ({ classification })) },
        response: { extracted: files.map((classification) => ({ classification })), supplementary: [] },
      } as unknown as Result;
      const {
        classification: _c,
        result: _r,
        response: _f,
        ...stamp
      } = stampAccess(resultDocument, document, (classification) => known[classification] ?? assert.fail()) as Result &
        typeof parts;
      return stamp;
    };
    assert.deepEqual(stampOf(['U'], []), known.U);
    assert.deepEqual(stampOf(['U', 'R'], []), known.R);
    assert.deepEqual(stampOf(['R'], ['S']), access(5, ['X', 'Y'], '__NONE__'));
  });
});
