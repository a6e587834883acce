import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isTriadError } from '../../../errors/errors.ts';
import { answerError, connectionError, isBusyAnswer, itemError, wasNeverSent } from './engine-errors.ts';

const answer = (status: number, type: string, reason: string) =>
  answerError(status, { error: { root_cause: [{ type, reason }], type, reason }, status }, 'POST /x');

/** Answers of real servers, and what callers get for them. */
const ANSWERS: readonly [status: number, type: string, reason: string, kind: string, code: string][] = [
  [
    409,
    'version_conflict_engine_exception',
    '[a]: version conflict, required seqNo [0]',
    'conflict',
    'version_conflict',
  ],
  [
    409,
    'version_conflict_engine_exception',
    '[a]: version conflict, document already exists (current version [1])',
    'conflict',
    'already_exists',
  ],
  [400, 'resource_already_exists_exception', 'index [x/abc] already exists', 'conflict', 'index_exists'],
  [400, 'invalid_index_name_exception', 'Invalid index name [x], already exists as alias', 'conflict', 'index_exists'],
  [
    400,
    'invalid_alias_name_exception',
    'Invalid alias name [x]: an index or data stream exists with the same name as the alias',
    'conflict',
    'index_exists',
  ],
  [
    400,
    'invalid_index_name_exception',
    'Invalid index name [X], must be lowercase',
    'invalid_input',
    'invalid_index_name',
  ],
  [404, 'index_not_found_exception', 'no such index [x]', 'not_found', 'index_missing'],
  [
    400,
    'illegal_argument_exception',
    'The provided expression [x] matches an alias, specify the corresponding concrete indices instead.',
    'not_found',
    'index_missing',
  ],
  [404, 'aliases_not_found_exception', 'aliases [x] missing', 'not_found', 'alias_missing'],
  [
    500,
    'illegal_state_exception',
    'index x must block write operations to resize index. use "index.blocks.write=true"',
    'conflict',
    'write_block_missing',
  ],
  [
    403,
    'cluster_block_exception',
    'index [x] blocked by: [FORBIDDEN/8/index write (api)];',
    'unavailable',
    'write_blocked',
  ],
  [
    403,
    'cluster_block_exception',
    'index [x] blocked by: [FORBIDDEN/5/index read-only (api)];',
    'unavailable',
    'write_blocked',
  ],
  [
    403,
    'cluster_block_exception',
    'index [x] blocked by: [FORBIDDEN/12/index read-only / allow delete (api)];',
    'unavailable',
    'write_blocked',
  ],
  [
    429,
    'cluster_block_exception',
    'index [x] blocked by: [TOO_MANY_REQUESTS/12/disk usage exceeded flood-stage watermark, index has read-only-allow-delete block; for more information, see http://x];',
    'unavailable',
    'write_blocked',
  ],
  [
    503,
    'cluster_block_exception',
    'blocked by: [SERVICE_UNAVAILABLE/1/state not recovered / initialized];',
    'unavailable',
    'datastore_unavailable',
  ],
  [503, 'no_shard_available_action_exception', 'no shard available', 'unavailable', 'datastore_unavailable'],
  [429, 'es_rejected_execution_exception', 'rejected execution', 'unavailable', 'datastore_unavailable'],
  [429, 'circuit_breaking_exception', '[parent] Data too large', 'unavailable', 'datastore_unavailable'],
  [
    400,
    'illegal_argument_exception',
    'Result window is too large, from + size must be less than or equal to: [10000]',
    'invalid_input',
    'result_window_too_large',
  ],
  [400, 'query_shard_exception', 'failed to create query', 'invalid_input', 'invalid_query'],
  [400, 'too_many_clauses', 'maxClauseCount is set to 1024', 'invalid_input', 'invalid_query'],
  [400, 'document_parsing_exception', '[1:5] failed to parse field [a]', 'invalid_input', 'invalid_document'],
  [400, 'mapper_parsing_exception', 'failed to parse field [a]', 'invalid_input', 'invalid_document'],
  [
    400,
    'illegal_argument_exception',
    'Limit of total fields [1000] has been exceeded',
    'invalid_input',
    'field_limit_reached',
  ],
  [404, 'search_context_missing_exception', 'No search context found for id [1]', 'invalid_input', 'unknown_cursor'],
  [
    401,
    'security_exception',
    'missing authentication credentials for REST request [/]',
    'unavailable',
    'datastore_credentials_refused',
  ],
  [
    403,
    'security_exception',
    'action [indices:admin/create] is unauthorized for user [x]',
    'unavailable',
    'datastore_credentials_refused',
  ],
];

describe('answerError', () => {
  for (const [status, type, reason, kind, code] of ANSWERS) {
    it(`${status} ${type} "${reason.slice(0, 60)}" is ${code}`, () => {
      const error = answer(status, type, reason);
      assert.ok(isTriadError(error), error.message);
      assert.deepEqual({ kind: error.kind, code: error.code }, { kind, code });
      if (kind === 'unavailable' && code !== 'datastore_credentials_refused') assert.ok((error.retryAfter ?? 0) > 0);
    });
  }

  it('says of a full disk that it is one, and what to do', () => {
    const full = answer(
      429,
      'cluster_block_exception',
      'blocked by: [TOO_MANY_REQUESTS/12/disk usage exceeded flood-stage watermark, index has read-only-allow-delete block];',
    );
    assert.match(full.message, /disk .*watermark.*Free disk space/);
    const blocked = answer(403, 'cluster_block_exception', 'blocked by: [FORBIDDEN/8/index write (api)];');
    assert.doesNotMatch(blocked.message, /disk/);
  });

  it('looks behind "all shards failed"', () => {
    const reason = { type: 'illegal_argument_exception', reason: 'Result window is too large, from + size' };
    const body = {
      error: { type: 'search_phase_execution_exception', reason: 'all shards failed', failed_shards: [{ reason }] },
    };
    assert.equal(Reflect.get(answerError(400, body, ''), 'code'), 'result_window_too_large');
  });

  it('takes a request that is too large, regardless of who refused it', () => {
    assert.equal(Reflect.get(answerError(413, '<html>Too large</html>', ''), 'code'), 'document_too_large');
  });

  it('is no error of the port for what no caller can have caused', () => {
    const error = answerError(400, { error: 'no handler found for uri [/x] and method [GET]' }, 'GET /x');
    assert.equal(isTriadError(error), false);
    assert.match(error.message, /GET \/x: status 400, no handler found/);
  });

  it('reads items of a bulk the same', () => {
    const error = itemError(
      { type: 'cluster_block_exception', reason: 'blocked by: [FORBIDDEN/8/index write (api)];' },
      403,
    );
    assert.equal(Reflect.get(error, 'code'), 'write_blocked');
  });
});

describe('isBusyAnswer', () => {
  it('holds for servers that may have time later, not for blocks', () => {
    assert.equal(isBusyAnswer(503, undefined), true);
    assert.equal(isBusyAnswer(429, { error: { type: 'es_rejected_execution_exception' } }), true);
    assert.equal(isBusyAnswer(429, { error: { type: 'cluster_block_exception' } }), false);
    assert.equal(isBusyAnswer(500, undefined), false);
    assert.equal(isBusyAnswer(400, undefined), false);
  });
});

describe('connectionError', () => {
  const AT = 'https://search:9200';
  it('tells certificates from servers that are not there', () => {
    for (const message of [
      'self-signed certificate in certificate chain',
      'unable to verify the first certificate',
      "Hostname/IP does not match certificate's altnames: Host: x",
      'certificate has expired',
    ]) {
      assert.equal(connectionError(new Error(message), AT).code, 'datastore_certificate_refused', message);
    }
    for (const message of [
      'connect ECONNREFUSED 127.0.0.1:9200',
      'getaddrinfo ENOTFOUND search',
      'socket hang up',
      '',
    ]) {
      const error = connectionError(new Error(message), AT);
      assert.equal(error.code, 'datastore_unavailable', message);
      assert.ok(error.message.includes(AT));
    }
  });

  it('knows what cannot have reached the server', () => {
    assert.equal(wasNeverSent(new Error('connect ECONNREFUSED 127.0.0.1:9200')), true);
    assert.equal(wasNeverSent(new Error('getaddrinfo ENOTFOUND search')), true);
    assert.equal(wasNeverSent(new Error('socket hang up')), false);
    assert.equal(wasNeverSent(new Error('read ECONNRESET')), false);
  });
});
