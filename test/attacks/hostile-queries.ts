/**
 * Queries that are cheap to send and expensive to answer.
 * Generated, so that none of them takes room here.
 */
export const HOSTILE_QUERIES: readonly string[] = [
  ...patterns('howler.rationale', (pattern) => `/${pattern}/`, regularExpressions()),
  ...patterns('howler.rationale', (pattern) => pattern, wildcards()),
  ...patterns('message', (pattern) => pattern, wildcards()),
  ...patterns('message', (pattern) => `/${pattern}/`, regularExpressions().slice(0, 20)),
  ...patterns('howler.rationale', (term) => `${term}~2`, [
    'a',
    'ab',
    'a'.repeat(8000),
    'ab'.repeat(128),
    'a'.repeat(256),
  ]),
  ...patterns('message', (term) => `${term}~2`, ['a', 'ab', 'a'.repeat(8000), 'ab'.repeat(128), 'x'.repeat(255)]),
  ...phrases().map((phrase) => `message:${phrase}`),
  ...structures(),
];

function patterns(field: string, write: (pattern: string) => string, given: readonly string[]): readonly string[] {
  return given.map((pattern) => `${field}:${write(pattern)}`);
}

function regularExpressions(): readonly string[] {
  const nested = (depth: number) => `${'('.repeat(depth)}a${'*)'.repeat(depth)}`;
  return [
    '(.{1,200}){1,100}',
    '(.{1,90}){1,100}',
    '.*a.{30}',
    '.*a.{300}',
    '.*(a|b).{12}',
    '((a{1,30}){1,30}){1,30}',
    '(a|b|ab|ba|aba){1,200}',
    '(a|aa)+',
    '(a|aa)*b',
    '(a*)*b',
    '(a+)+b',
    '(.*a){25}',
    '(.*a){90}b',
    '.*.*.*.*.*.*.*.*.*.*x',
    '(x{2147483647}){2147483647}',
    '(()){2147483647}',
    '(a?){400}a{400}',
    '(.?){900}x',
    '.{1,1000}',
    '(.{1000}){8}',
    '~(.*a.{20})',
    '~(~(~(.*a.{10})))',
    '(.*a.*)&(.*b.*)&(.*c.*)&(.*d.*)&(.*e.*)&(.*f.*)',
    '(.*a.{8}.*)&(.*b.{8}.*)',
    '<1-2147483647>',
    '.*<1-65535>.*<1-65535>.*<1-65535>.*',
    '@a@b@c@d@e@f@g@',
    '(a*)*'.repeat(150),
    '([a-c]*[b-d]*){400}',
    '(a|b)*a(a|b){9}',
    '(a|b)*a(a|b){500}',
    '[ab]*a[ab]{16}',
    '\\w*\\d\\w{12}',
    '(\\w|\\s)*a(\\w|\\s){12}',
    '[^x]*a[^x]{14}',
    '(.|.)*a(.|.){11}',
    '.*(aa|ab|ba|bb){40}.*',
    '((((.*)+)+)+)+x',
    '(.*)(.*)(.*)(.*)(.*)(.*)(.*)(.*)(.*)x',
    '(a{0,100}b{0,100}){50}',
    `(${Array.from({ length: 150 }, (_, at) => `w${at}`).join('|')})*`,
    `.*(${Array.from({ length: 150 }, (_, at) => `w${at}`).join('|')}).*`,
    '(a|b|c|d|e|f|g|h|i|j|k|l|m|n|o|p).{15}'.repeat(8),
    `${'('.repeat(450)}a${')'.repeat(450)}`,
    nested(300),
    `${'~'.repeat(900)}a`,
    `${'.*'.repeat(450)}`,
    `${'.?'.repeat(450)}`,
    `${'a?'.repeat(250)}${'a'.repeat(250)}`,
    `[${'a-z'.repeat(300)}]*x`,
    `${'[a-z]'.repeat(190)}`,
    `"${'ab'.repeat(400)}".*`,
    `${'a'.repeat(1000)}`,
    `${'a'.repeat(1001)}`,
    `${'\\d'.repeat(400)}`,
    `(${'a'.repeat(400)}|${'a'.repeat(400)}b)*c`,
  ];
}

function wildcards(): readonly string[] {
  return [
    '*a',
    '*a*b*c*d*e*f*g*h*i*j*k',
    `${'*a'.repeat(10)}*x`,
    `${'*a'.repeat(100)}*x`,
    `${'*a'.repeat(2000)}*x`,
    `${'*a?'.repeat(30)}*x`,
    `${'*a?b'.repeat(60)}*x`,
    `*a${'?'.repeat(10)}`,
    `*a${'?'.repeat(40)}`,
    `*a${'?'.repeat(4000)}`,
    `${'?'.repeat(200)}*`,
    `${'?'.repeat(8000)}`,
    `${'?'.repeat(30_000)}`,
    `${'*'.repeat(50_000)}a`,
    `*${'a'.repeat(7000)}b`,
    `*${'ab'.repeat(50)}*${'ba'.repeat(50)}*x`,
    `${'?*'.repeat(500)}x`,
    `${'*?'.repeat(1000)}x`,
    `*${'a?'.repeat(20)}*${'b?'.repeat(20)}*x`,
    '*a*'.repeat(50),
    `*\\*\\?${'*a'.repeat(20)}\\*`,
    `*${'é?'.repeat(100)}*`,
  ];
}

function phrases(): readonly string[] {
  const words = (count: number, word: (at: number) => string) =>
    Array.from({ length: count }, (_, at) => word(at)).join(' ');
  return [
    `"${words(60, () => 'a')}"~1`,
    `"${words(60, () => 'a')} x"~5`,
    `"${words(64, () => 'a')}"~2147483647`,
    `"${words(64, (at) => (at % 2 ? 'a' : 'b'))}"~100`,
    `"${words(1000, () => 'a')}"~1000`,
    `"${words(20_000, () => 'a')}"`,
    `"${words(20_000, (at) => `w${at}`)}"~3`,
    `"a b"~2147483647`,
    `"b a a a a a a a a a a a a a a a x"~3`,
    `"a a"~-1`,
  ];
}

function structures(): readonly string[] {
  const many = (count: number, clause: (at: number) => string, between = ' OR ') =>
    Array.from({ length: count }, (_, at) => clause(at)).join(between);
  return [
    `${'('.repeat(201)}a${')'.repeat(201)}`,
    `${'('.repeat(200)}a${')'.repeat(200)}`,
    `${'(NOT '.repeat(200)}a${')'.repeat(200)}`,
    `${'(a AND '.repeat(150)}b${')'.repeat(150)}`,
    `${'(howler.rationale:*a* OR '.repeat(150)}b${')'.repeat(150)}`,
    `${'('.repeat(100_000)}`,
    many(30_000, (at) => `a${at}`),
    many(66_000, (at) => `a${at}`),
    many(60_000, (at) => `a${at}`, ' '),
    many(60_000, (at) => `"w${at}"`),
    `howler.id:(${many(60_000, (at) => `a${at}`)})`,
    `howler.rationale:(${many(4000, (at) => `*a${at}*`)})`,
    `howler.rationale:(${many(100, (at) => `*a${at}*b`)})`,
    `message:(${many(100, (at) => `a${at}*b`)})`,
    `message:(${many(1000, (at) => `a${at}*`)})`,
    `message:(${many(5000, (at) => `a${at}*`)})`,
    `message:(${many(100, (at) => `a${at}~2`)})`,
    `howler.rationale:(${many(100, (at) => `a${at}~2`)})`,
    `howler.rationale:(${many(50, (at) => `/.*a${at}.*b/`)})`,
    `howler.rationale:(${many(50, (at) => `/.*a${at}.*&.*b.*/`)})`,
    `message:(${many(100, (at) => `"a w${at}"~3`)})`,
    `message:(${many(2000, (at) => `"a w${at}"`)})`,
    many(1000, (at) => `event.created:[${at} TO *]`),
    many(1000, (at) => `event.severity:>${at}`),
    many(1000, (at) => `-event.severity:${at}`, ' '),
    many(1000, (at) => `+message:a${at}`, ' '),
    many(2000, (at) => `nothing${at}\\*:a`),
    many(2000, (at) => `howl\\*er${at}:a`),
    many(2000, () => `howler.\\*:a`),
    many(60, () => `\\*:a`),
    many(2000, (at) => `_exists_:howler${at}`),
    many(1500, () => `_exists_:howler.\\*`),
    `a${'^2'.repeat(1)} ${'~'.repeat(1)}`,
    `${'NOT '.repeat(50_000)}a`,
    `${'-'.repeat(50_000)}a`,
    `${'"'.repeat(99_999)}`,
    `${'/'.repeat(50_001)}`,
    `${'\\'.repeat(100_000)}`,
    `${'[a TO b] '.repeat(1000)}`,
    `message:[${'a'.repeat(100_000)} TO *]`,
    `message:{* TO ${'z'.repeat(100_000)}}`,
    `${'a'.repeat(1_000_000)}`,
    `${'a '.repeat(500_000)}`,
    `source.ip:(${many(3000, (at) => `"10.0.${at % 255}.0/24"`)})`,
  ];
}
