import assert from 'node:assert/strict';
import { it } from 'node:test';
import { formatBytes, formatCompact, formatNumber, formatShare } from './numbers.ts';

const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ');

it('writes numbers as the language does', () => {
  assert.equal(formatNumber(1_234_567.891, 'en'), '1,234,567.89');
  assert.equal(plain(formatNumber(1_234_567, 'fr')), '1 234 567');
  assert.equal(formatCompact(9_999, 'en'), '9,999');
  assert.equal(formatCompact(12_345, 'en'), '12.3K');
  assert.equal(plain(formatCompact(12_345, 'fr')), '12,3 k');
});

it('writes shares, and never none for a few', () => {
  assert.equal(formatShare(0, 'en'), '0%');
  assert.equal(formatShare(0.00001, 'en'), '< 0.1%');
  assert.equal(formatShare(0.034, 'en'), '3.4%');
  assert.equal(formatShare(1, 'en'), '100%');
});

it('writes sizes', () => {
  assert.equal(formatBytes(0, 'en'), '0 bytes');
  assert.equal(formatBytes(1, 'en'), '1 byte');
  assert.equal(formatBytes(999, 'en'), '999 bytes');
  assert.equal(formatBytes(1_440_000, 'en'), '1.4 MB');
  assert.equal(plain(formatBytes(1_440_000, 'fr')), '1,4 Mo');
  assert.equal(formatBytes(3e15, 'en'), '3,000 TB');
});
