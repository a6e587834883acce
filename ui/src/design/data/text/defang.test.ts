import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { defang, indicatorKind, refang } from './defang.ts';

const PAIRS = [
  ['10.0.0.1', '10[.]0[.]0[.]1'],
  ['10.0.0.0/8', '10[.]0[.]0[.]0/8'],
  ['2001:db8::1', '2001[:]db8[:][:]1'],
  ['evil.example', 'evil[.]example'],
  ['xn--80ak6aa92e.com', 'xn--80ak6aa92e[.]com'],
  ['https://evil.example/a.php?b=c.d', 'hxxps://evil[.]example/a.php?b=c.d'],
  ['http://u:p@evil.example:8080#x.y', 'hxxp://u:p[@]evil[.]example:8080#x.y'],
  ['ftp://evil.example', 'fxp://evil[.]example'],
  ['mallory@evil.example', 'mallory[@]evil[.]example'],
] as const;

describe('defang and refang', () => {
  for (const [plain, harmless] of PAIRS) {
    it(`${plain} is ${harmless}, and back`, () => {
      assert.equal(defang(plain), harmless);
      assert.equal(refang(harmless), plain);
    });
  }

  it('leaves other values alone', () => {
    for (const value of [
      '',
      'd41d8cd98f00b204e9800998ecf8427e',
      'powershell.exe -enc x',
      'C:\\a.exe',
      '12:30:45 UTC',
    ]) {
      assert.equal(defang(value), value);
    }
  });

  it('reads what other people write', () => {
    assert.equal(refang('hXXp[:]//evil(dot)example'), 'http://evil.example');
    assert.equal(refang('hxxps[://]evil{.}example'), 'https://evil.example');
    assert.equal(refang('mallory[at]evil[dot]example'), 'mallory@evil.example');
    for (const url of [
      'htxp://evil<.>example',
      'hxtps(:)//evil[ . ]example',
      'h**p(://)evil[.example',
      'http://evil\\.example',
    ]) {
      assert.equal(refang(url).replace('https', 'http'), 'http://evil.example', url);
    }
  });

  it('answers at once for hostile lengths', () => {
    const started = performance.now();
    for (const part of ['a.', 'a@', '1.', ':', 'a', '[.]', '[ ', '<.', '\\']) {
      indicatorKind(part.repeat(500_000));
      indicatorKind(part.repeat(2_000));
      refang(part.repeat(100_000));
    }
    assert.ok(performance.now() - started < 5_000);
  });
});
