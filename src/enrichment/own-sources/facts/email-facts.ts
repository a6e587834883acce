import { excerpt } from '../local-answers.ts';
import { describedDomain, domainFacts, registrableDomain } from './domain-facts.ts';
import { type Fact, fact } from './fact.ts';
import { DISPOSABLE_PROVIDERS, FREE_PROVIDERS, ROLES } from './mail-providers.ts';

/** Longest part before the `@` (RFC 5321). */
const MAX_LOCAL_LENGTH = 64;

/** Returns what an e-mail address says of its provider, its mailbox and its domain. */
export function emailFacts(value: string): readonly Fact[] {
  const at = value.lastIndexOf('@');
  const domain = at < 1 ? undefined : describedDomain(value.slice(at + 1));
  if (domain === undefined) return [];
  return [...providerFacts(domain), ...mailboxFacts(value.slice(0, at), domain), ...domainFacts(domain)];
}

function providerFacts(domain: string): readonly Fact[] {
  const provider = [domain, registrableDomain(domain) ?? domain];
  if (provider.some((name) => DISPOSABLE_PROVIDERS.has(name))) {
    const summary = `${domain} belongs to a service of disposable addresses.`;
    return [fact('disposable-mail', summary, { confidence: 0.9, severity: 0.3 })];
  }
  if (provider.some((name) => FREE_PROVIDERS.has(name))) {
    const summary = `${domain} belongs to a provider of mail for everyone: the domain says nothing of the sender.`;
    return [fact('free-mail', summary, { confidence: 0.9, ubiquitous: true })];
  }
  return [];
}

function mailboxFacts(local: string, domain: string): readonly Fact[] {
  if (local.length > MAX_LOCAL_LENGTH) return [];
  const [mailbox = '', tag] = local.split('+', 2);
  const facts: Fact[] = [];
  if (ROLES.has(mailbox.toLowerCase())) {
    facts.push(
      fact('role-address', `The mailbox "${mailbox}" belongs to a function, not to a person.`, { confidence: 0.9 }),
    );
  }
  if (mailbox !== '' && tag !== undefined) {
    const summary = `"${excerpt(tag)}" is a tag: many providers deliver to ${excerpt(mailbox)}@${domain}.`;
    facts.push(fact('tagged-address', summary, { confidence: 0.7 }));
  }
  return facts;
}
