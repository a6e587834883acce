import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { generatedNameFacts } from './generated-names.ts';

const isMarked = (label: string) => generatedNameFacts(label).length > 0;

/** Names that people chose, of many languages, and those of services for other programs. */
const ORDINARY = `
google microsoftonline windowsupdate msftconnecttest doubleclick googlesyndication googleusercontent googletagmanager
akamaiedge akamaitechnologies cloudfront amazonaws edgekey edgesuite fastly cloudflareinsights trafficmanager 1e100
gvt1 gstatic fbcdn cdninstagram xboxlive stackoverflow stackexchange githubusercontent atlassian digicert globalsign
letsencrypt sectigo nytimes washingtonpost sueddeutsche frankfurter-allgemeine rechtsanwaltskammer krankenhausgesellschaft
schwarzwaldverein bundesfinanzministerium ordnungswidrigkeiten przedsiebiorstwo szczecinski wroclawskiego mistrzostwa
vseobecnazdravotnipoistovna ceskatelevize magyarorszag szepmuveszeti tyovaenyhdistys paakaupunkiseutu verkkokauppa
turkiyecumhuriyeti istanbulbuyuksehir lietuvosrytas thessaloniki kathimerini rijksoverheid belastingdienst
arbetsformedlingen skatteverket landsbankinn leboncoin pagesjaunes credit-agricole societegenerale assurancemaladie
correioweb mercadolivre lavanguardia elcorteingles corrieredellasera poste-italiane tokyo-metro yomiuri hokkaidoshimbun
shenzhenair guangzhou zhongguancun xinhuanet qinghuadaxue nguyenhoang vietnamnet bankofamerica jpmorganchase
pricewaterhousecoopers thyssenkrupp volkswagen mckinsey hewlettpackard northwesternmutual sixflags 365online
webhosting2024 hotel-schweizerhof 163 9gag 123456789012 24hourfitness strengthsfinder`.match(/\S+/g);

describe('generatedNameFacts', () => {
  for (const name of ORDINARY ?? []) {
    it(`does not mark ${name}`, () => assert.ok(!isMarked(name)));
  }

  it('marks four of five names of random letters', () => {
    const random = lettersFrom(20_240_101);
    for (const alphabet of ['abcdefghijklmnopqrstuvwxyz', 'abcdefghijklmnopqrstuvwxyz0123456789']) {
      const names = Array.from({ length: 1_000 }, (_, index) => random(alphabet, 12 + (index % 12)));
      const marked = names.filter(isMarked).length;
      assert.ok(marked > 800, `${marked} of 1000 from ${alphabet}`);
    }
  });

  it('does not judge short names', () => {
    assert.ok(!isMarked('qxzjvkwpq'));
    assert.ok(isMarked('qxzjvkwpqxzjv'));
  });
});

/** Returns a source of strings that are the same in every run. */
function lettersFrom(seed: number) {
  let state = seed;
  const next = (limit: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  return (alphabet: string, length: number) =>
    Array.from({ length }, () => alphabet.charAt(next(alphabet.length))).join('');
}
