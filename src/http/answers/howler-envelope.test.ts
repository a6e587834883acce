import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { howlerEnvelope } from './howler-envelope.ts';

const KEYS = { api_error_message: '', api_server_version: '1.2.3', api_status_code: 200, api_warning: [] };

describe('howlerEnvelope', () => {
  const kept = howlerEnvelope('1.2.3', { nullData: 'kept' });
  const leftOut = howlerEnvelope('1.2.3', { nullData: 'left_out' });

  it('has its keys in alphabetical order, and those of the data', () => {
    assert.equal(
      kept.success({ b: 1, a: [null] }, 200, ['careful']),
      '{"api_error_message":"","api_response":{"a":[null],"b":1},"api_server_version":"1.2.3","api_status_code":200,"api_warning":["careful"]}',
    );
  });

  it('keeps an answer of null, or leaves it out, as the service wants it', () => {
    assert.deepEqual(JSON.parse(kept.success(null, 200, [])), { ...KEYS, api_response: null });
    assert.deepEqual(JSON.parse(leftOut.success(null, 200, [])), KEYS);
    assert.deepEqual(JSON.parse(leftOut.success({ a: null }, 200, [])), { ...KEYS, api_response: { a: null } });
  });

  it('says plain success and plain failure where there are no data', () => {
    assert.deepEqual(JSON.parse(leftOut.success(undefined, 200, [])), { ...KEYS, api_response: { success: true } });
    const failure = { status: 403, message: 'No.\ud800', code: 'no', response: undefined, warnings: [] };
    assert.deepEqual(JSON.parse(leftOut.failure(failure)), {
      ...KEYS,
      api_error_message: 'No.\ufffd',
      api_response: { success: false },
      api_status_code: 403,
    });
  });
});
