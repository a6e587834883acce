import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { describeValue } from './facts-source.ts';

/** Values of a type, and the values of all facts in their order. */
const TABLE: Readonly<Record<string, readonly (readonly [value: string, facts: string])[]>> = {
  ipv4: [
    ['10.0.0.1', 'private'],
    ['100.64.0.1', 'shared'],
    ['192.0.2.7', 'documentation'],
    ['224.0.0.251', 'multicast'],
    ['255.255.255.255', 'broadcast'],
    ['192.175.48.1', 'anycast'],
    ['8.8.8.8', ''],
    ['100.128.0.1', ''],
    ['10.0.0', ''],
    ['10.0.0.1/8', ''],
    ['example.org', ''],
  ],
  ipv6: [
    ['::1', 'loopback'],
    ['fe80::1%eth0', 'link_local'],
    ['2001:db8::1', 'documentation'],
    ['::ffff:8.8.8.8', 'mapped embedded-ipv4'],
    ['::ffff:10.0.0.1', 'mapped embedded-ipv4 private'],
    ['2002:a00:1::1', 'transition embedded-ipv4 private'],
    ['64:ff9b::808:808', 'translation embedded-ipv4'],
    ['2001:0:4136:e378:8000:63bf:3fff:fdd2', 'transition embedded-ipv4 documentation'],
    ['2606:4700::1111', ''],
    ['::g', ''],
  ],
  domain: [
    ['www.google.co.uk', 'google.co.uk'],
    ['Google.com.', 'google.com'],
    ['co.uk', 'public-suffix'],
    ['host.invalidtld', 'unknown-suffix'],
    ['mail.example.org', 'special-use'],
    ['printer.local', 'special-use'],
    ['1.0.0.127.in-addr.arpa', 'special-use'],
    ['notexample.org', 'notexample.org'],
    ['me.github.io', 'github.io shared-suffix'],
    ['d111111abcdef8.cloudfront.net', 'cloudfront.net shared-suffix'],
    ['kq3v9z7x1j2bqw.com', 'kq3v9z7x1j2bqw.com generated-name'],
    ['xn--80ak6aa92e.com', 'xn--80ak6aa92e.com internationalized-name confusable'],
    ['раypal.com', 'xn--ypal-43d9g.com internationalized-name mixed-script confusable'],
    ['bücher.de', 'xn--bcher-kva.de internationalized-name'],
    ['россия.рф', 'xn--h1alffa9f.xn--p1ai internationalized-name'],
    ['сор.рф', 'xn--n1aeb.xn--p1ai internationalized-name'],
    ['日本語カタカナ.jp', 'xn--lcka3d1b3769bcvb2w6i.jp internationalized-name'],
    ['tv-россия.com', 'xn--tv--5dd3alia1k.com internationalized-name mixed-script'],
    ['xn--zzzzzz99999.com', 'xn--zzzzzz99999.com invalid-punycode'],
    ['1.2.3.4', ''],
    ['two words.org', ''],
    ['a..org', ''],
    ['', ''],
  ],
  url: [
    ['https://www.google.com/', 'https://www.google.com google.com'],
    ['www.google.com/path', 'http://www.google.com google.com'],
    ['https://www.google.com:8443/x', 'https://www.google.com:8443 google.com'],
    ['https://www.google.com:4444/x', 'https://www.google.com:4444 google.com unusual-port'],
    ['https://ann:secret@google.com/', 'https://google.com credentials-in-url google.com'],
    ['https://paypal.com@google.com/', 'https://google.com host-like-user-name google.com'],
    ['https://john.doe@google.com/', 'https://google.com credentials-in-url google.com'],
    ['ftp://ann@gmail.com@google.com/', 'ftp://google.com credentials-in-url google.com'],
    ['https://google.com/a@paypal.com', 'https://google.com google.com'],
    ['http://1.1.1.1/', 'http://1.1.1.1 address-as-host'],
    ['http://0x7f.1/', 'http://127.0.0.1 address-as-host obfuscated-address loopback'],
    ['http://3232235777/', 'http://192.168.1.1 address-as-host obfuscated-address private'],
    ['http://[::1]:80/', 'http://[::1] address-as-host loopback'],
    ['https://google.com/?u=https%3A%2F%2Fevil.com%2F', 'https://google.com google.com redirect-parameter'],
    ['https://google.com/?u=%252F%252Fevil.com', 'https://google.com google.com redirect-parameter'],
    ['https://google.com/?u=aHR0cHM6Ly9ldmlsLmNvbS8', 'https://google.com google.com redirect-parameter'],
    ['https://google.com/x/https://evil.com/', 'https://google.com google.com redirect-parameter'],
    ['https://google.com/?u=https%3A%2F%2Fgoogle.com%2Fy', 'https://google.com google.com'],
    ['https://google.com/?u=/path&v=http&w=a//b', 'https://google.com google.com'],
    ['https://google.com/?access_token=abc', 'https://google.com google.com credentials-in-parameters'],
    ['https://google.com/?token=&tokens=3&bypass=1', 'https://google.com google.com'],
    ['http://xn--80ak6aa92e.com/', 'http://xn--80ak6aa92e.com xn--80ak6aa92e.com internationalized-name confusable'],
    ['javascript:alert(1)//x.com', 'not-a-url'],
    ['java\tscript:alert(1)', 'not-a-url'],
    ['data:text/html;base64,PGI+', 'not-a-url'],
    ['https://', 'not-a-url'],
    ['http://a b/', 'not-a-url'],
  ],
  email_address: [
    ['ann@gmail.com', 'free-mail gmail.com'],
    ['ann@mailinator.com', 'disposable-mail mailinator.com'],
    ['ann@sub.yopmail.com', 'disposable-mail yopmail.com'],
    ['Abuse@google.com', 'role-address google.com'],
    ['no-reply+7@google.com', 'role-address tagged-address google.com'],
    ['ann@notgmail.com', 'notgmail.com'],
    ['abused@google.com', 'google.com'],
    ['+tag@google.com', 'google.com'],
    ['@google.com', ''],
    ['google.com', ''],
    ['ann@', ''],
  ],
  md5: [
    ['D41D8CD98F00B204E9800998ECF8427E', 'MD5 empty-file benign'],
    ['44d88612fea8a8f36de82e1278abb02f', 'MD5 eicar-test-file'],
    ['0'.repeat(32), 'MD5 placeholder'],
    ['44d88612fea8a8f36de82e1278abb020', 'MD5'],
    ['a0'.repeat(20), 'SHA-1'],
    ['xyz', 'not-a-hash'],
  ],
  sha1: [['da39a3ee5e6b4b0d3255bfef95601890afd80709', 'SHA-1 empty-file benign']],
  sha256: [
    ['275a021bbfb6489e54d471899f7db9d1663fc695ec2fe2a2c4538aabf651fd0f', 'SHA-256 eicar-test-file'],
    [createHash('sha256').update('\n').digest('hex'), 'SHA-256 blank-file'],
    [createHash('sha256').update('other').digest('hex'), 'SHA-256'],
  ],
  port: [
    ['443', 'https system-port'],
    ['3389', 'ms-wbt-server user-port'],
    ['27017', 'mongodb user-port'],
    ['60000', 'dynamic-port'],
    ['0', 'reserved'],
    ['1', 'system-port'],
    ['65536', ''],
    ['-1', ''],
    ['4e1', ''],
  ],
  user_agent: [
    ['curl/8.5.0', 'curl 8.5.0 tool'],
    ['python-requests/2.31.0', 'python-requests 2.31.0 library'],
    [
      'Mozilla/5.0 (Windows NT; Windows NT 10.0; en-US) WindowsPowerShell/5.1.1',
      'PowerShell 5.1.1 tool Windows 10 or 11',
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36 Edg/120.0.1',
      'Edge 120.0.1 browser Windows 10 or 11',
    ],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:121.0) Gecko/20100101 Firefox/121.0', 'Firefox 121.0 browser Linux'],
    ['Mozilla/5.0 (Windows NT 6.1; Trident/7.0; rv:11.0) like Gecko', 'Internet Explorer 11.0 browser Windows 7'],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_2 like Mac OS X) AppleWebKit/605.1.15 Version/17.2 Mobile/15E148 Safari/604.1',
      'Safari 17.2 browser iOS 17.2',
    ],
    [
      'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/120.0.0.0 Mobile Safari/537.36',
      'Chrome 120.0.0.0 browser Android 14',
    ],
    ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', 'Googlebot 2.1 bot'],
    ['sqlmap/1.7#stable (https://sqlmap.org)', 'sqlmap 1.7 scanner'],
    ['mozilla/5.0 (windows nt 10.0) gecko/20100101 firefox/121.0', 'Firefox 121.0 browser Windows 10 or 11'],
    ['-', 'empty-user-agent'],
    ['Mozilla/5.0', ''],
    ['curly/1.0', ''],
  ],
};

describe('facts', () => {
  for (const [type, rows] of Object.entries(TABLE)) {
    for (const [value, facts] of rows) {
      it(`says ${facts || 'nothing'} of the ${type} ${JSON.stringify(value).slice(0, 80)}`, () => {
        const annotations = describeValue(type, value)?.annotations ?? [];
        assert.equal(annotations.map((one) => one.value).join(' '), facts);
      });
    }
  }

  it('says sentences, and who says them', () => {
    for (const [type, rows] of Object.entries(TABLE)) {
      for (const [value] of rows) {
        for (const { analytic, summary, confidence } of describeValue(type, value)?.annotations ?? []) {
          assert.equal(analytic, 'Triad facts');
          assert.match(summary, /^["A-Z0-9a-z].*\.$/u, `${type} ${value}`);
          assert.ok(confidence > 0 && confidence <= 1);
        }
      }
    }
  });

  it('does not repeat a password', () => {
    const url = 'https://ann:S3cret!@google.com/?password=S3cret!';
    assert.doesNotMatch(JSON.stringify(describeValue('url', url)), /S3cret/);
  });

  it('knows no other types', () => {
    for (const type of ['telemetry', 'hostname', '__proto__', 'constructor']) {
      assert.equal(describeValue(type, '10.0.0.1'), undefined);
    }
  });
});
