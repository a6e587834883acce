import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hitDocument } from '../../documents/kinds/hit.ts';
import { userDocument } from '../../documents/kinds/user.ts';
import { explain } from './explanation.ts';

describe('the explanation of a query', () => {
  it('is the query as it is read', () => {
    assert.deepEqual(explain(hitDocument, 'howler.status:open AND NOT howler.escalation:miss'), {
      valid: true,
      explanations: [{ valid: true, explanation: '+howler.status:open -howler.escalation:miss' }],
    });
  });

  it('is the code, position and reason of a fault', () => {
    assert.deepEqual(explain(hitDocument, 'a:b:c'), {
      valid: false,
      explanations: [
        {
          valid: false,
          error:
            'invalid_query at position 3: Unexpected : in the query. Put it in quotes or a backslash before it to search for it.',
        },
      ],
    });
  });

  it('names the limit of a query that is too complex', () => {
    const { valid, explanations } = explain(hitDocument, 'message:/(.{1,200}){1,100}/');
    assert.equal(valid, false);
    assert.match(explanations[0]?.error ?? '', /^query_too_complex: The query is too complex: .* 125000 steps/);
  });

  it('knows no secrets', () => {
    for (const field of ['password', 'apikeys.devkey.password', 'access_control']) {
      const { valid, explanations } = explain(userDocument, `${field}:x`);
      assert.equal(valid, true);
      assert.match(explanations[0]?.explanation ?? '', /^MatchNoDocsQuery\("at position \d+: No searchable field/);
    }
    assert.doesNotMatch(JSON.stringify(explain(userDocument, '\\*:x')), /password|apikeys|access_control/);
  });
});
