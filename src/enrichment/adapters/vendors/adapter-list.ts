import type { Adapter } from '../adapter.ts';
import { abuseipdb } from './abuseipdb/abuseipdb.ts';
import { crtsh } from './crtsh/crtsh.ts';
import { dns } from './dns/dns.ts';
import { greynoise } from './greynoise/greynoise.ts';
import { hashlookup } from './hashlookup/hashlookup.ts';
import { internetdb } from './internetdb/internetdb.ts';
import { malwarebazaar } from './malwarebazaar/malwarebazaar.ts';
import { misp } from './misp/misp.ts';
import { otx } from './otx/otx.ts';
import { rdap } from './rdap/rdap.ts';
import { shodan } from './shodan/shodan.ts';
import { threatfox } from './threatfox/threatfox.ts';
import { urlhaus } from './urlhaus/urlhaus.ts';
import { urlscan } from './urlscan/urlscan.ts';
import { virustotal } from './virustotal/virustotal.ts';

/** All adapters to other systems. A new one is a folder here and a line below. */
export const ADAPTERS: readonly Adapter[] = [
  virustotal,
  malwarebazaar,
  crtsh,
  abuseipdb,
  greynoise,
  shodan,
  internetdb,
  otx,
  urlscan,
  misp,
  threatfox,
  urlhaus,
  hashlookup,
  rdap,
  dns,
];
