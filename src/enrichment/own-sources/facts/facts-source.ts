import type { ClassificationEngine } from '../../../classification/classification.ts';
import type { OwnSource } from '../../sources/own-source.ts';
import { answerLocally, type LocalEntry } from '../local-answers.ts';
import { addressFacts } from './address-facts.ts';
import { domainFacts } from './domain-facts.ts';
import { emailFacts } from './email-facts.ts';
import type { FactReader } from './fact.ts';
import { hashFacts } from './hash-facts.ts';
import { portFacts } from './port-facts.ts';
import { urlFacts } from './url-facts.ts';
import { userAgentFacts } from './user-agent-facts.ts';

const READERS: Readonly<Record<string, FactReader>> = {
  ipv4: addressFacts,
  ipv6: addressFacts,
  domain: domainFacts,
  url: urlFacts,
  email_address: emailFacts,
  md5: hashFacts('md5'),
  sha1: hashFacts('sha1'),
  sha256: hashFacts('sha256'),
  port: portFacts,
  user_agent: userAgentFacts,
};

/** Name of the analytic in every annotation. */
const ANALYTIC = 'Triad facts';
/** Facts of one value. */
const MAX_FACTS = 30;

/** Opens the source of what follows from a value alone: nothing is asked, and nothing leaves. */
export function openFactsSource({ unrestricted }: Pick<ClassificationEngine, 'unrestricted'>): OwnSource {
  const types = Object.fromEntries(Object.keys(READERS).map((type) => [type, unrestricted]));
  return {
    name: 'facts',
    reach: 'local',
    source: {
      types: () => types,
      lookup: (selectors, flags, call) =>
        answerLocally(selectors, { flags, call, classification: unrestricted, describe: describeValue }),
    },
  };
}

/** Returns the facts of a value; undefined if there are none. */
export function describeValue(type: string, value: string): LocalEntry | undefined {
  const facts = Object.hasOwn(READERS, type) ? READERS[type]?.(value) : undefined;
  if (facts === undefined || facts.length === 0) return undefined;
  return { annotations: facts.slice(0, MAX_FACTS).map((one) => ({ analytic: ANALYTIC, ...one })) };
}
