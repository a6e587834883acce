import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fastCheck from 'fast-check';
import { DEMO_CLASSIFICATION } from '../../classification/builtin-definitions.ts';
import { loadClassification } from '../../classification/classification.ts';
import { matches } from '../../datastore/query-language/matches.ts';
import { caseDocument } from '../../documents/kinds/case.ts';
import { accessControlQuery, readAccessFor, readAccessOfQuery } from './read-access.ts';

const engine = loadClassification(DEMO_CLASSIFICATION);

const classification = fastCheck
  .record({
    level: fastCheck.constantFrom('U', 'R'),
    required: fastCheck.subarray(['SU', 'ADM']),
    groups: fastCheck.subarray(['D1', 'D2']),
    subgroups: fastCheck.subarray(['G2']),
  })
  .map(({ level, required, groups, subgroups }) =>
    [level, ...required, [...(groups.length > 0 ? [`REL ${groups.join(',')}`] : []), ...subgroups].join('/')]
      .filter((part) => part !== '')
      .join('//'),
  );

const documentOf = (text: string): Readonly<Record<string, unknown>> => ({
  classification: engine.normalise(text),
  ...engine.accessParts(text),
});

describe('readAccessFor', () => {
  it('admits what the engine says is accessible, by filter and by document', () => {
    fastCheck.assert(
      fastCheck.property(classification, classification, (user, text) => {
        const access = readAccessFor(engine, user, undefined);
        const document = documentOf(text);
        const expected = engine.isAccessible(engine.normalise(user, { skipAutoSelect: true }), engine.normalise(text));
        assert.equal(access.admits(document), expected);
        assert.equal(matches(access.filter, caseDocument, document), expected);
      }),
      { numRuns: 500 },
    );
  });

  it('judges a document without hidden fields by its text', () => {
    const access = readAccessFor(engine, 'U', undefined);
    assert.equal(access.admits({ classification: 'RESTRICTED' }), false);
    assert.equal(access.admits({ classification: 'UNRESTRICTED' }), true);
    assert.equal(access.admits({ classification: 'garbage' }), false);
    assert.equal(access.admits({}), true);
  });

  it('admits everything where classification is not enforced', () => {
    const access = readAccessFor(loadClassification(), 'TLP:C', undefined);
    assert.deepEqual(access.filter, { kind: 'all' });
    assert.equal(access.admits({ classification: 'TLP:A+S' }), true);
  });
});

describe('readAccessOfQuery', () => {
  // As the public system stores it for a user of UNRESTRICTED.
  const query =
    '(__access_grp2__:__EMPTY__ OR __access_grp2__:"__EMPTY__") AND (__access_grp1__:__EMPTY__ OR __access_grp1__:"__EMPTY__") AND -(__access_req__:"SU" OR __access_req__:"ADM") AND __access_lvl__:[0 TO 100]';

  it('admits what the stored query of a user finds, which is what their classification admits', () => {
    const stored = readAccessOfQuery(query);
    const computed = readAccessFor(engine, 'U', undefined);
    fastCheck.assert(
      fastCheck.property(classification, (text) => {
        const document = documentOf(text);
        assert.equal(stored.admits(document), computed.admits(document));
        assert.equal(matches(stored.filter, caseDocument, document), computed.admits(document));
      }),
    );
  });

  it('reads what is stored for a user of any classification', () => {
    fastCheck.assert(
      fastCheck.property(classification, classification, (user, text) => {
        const own = engine.normalise(user, { skipAutoSelect: true });
        const document = documentOf(text);
        const stored = readAccessOfQuery(accessControlQuery(engine, own) ?? '');
        assert.equal(stored.admits(document), readAccessFor(engine, own, undefined).admits(document));
      }),
    );
    assert.equal(accessControlQuery(loadClassification(), 'TLP:C'), undefined);
  });

  it('refuses what is not a query', () => assert.throws(() => readAccessOfQuery('(a'), { code: 'invalid_query' }));
});
