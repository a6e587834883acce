import { COMPANY, mailAddress, PEOPLE, server } from '../organisation.ts';
import { type Detection, SENSORS, technique, VALID_ACCOUNTS } from './scenario.ts';
import { externalFields, hostFields, userFields } from './scene-fields.ts';

/** Sign-ins. */
export const IDENTITY_SCENARIOS: readonly Detection[] = [
  {
    analytic: 'Password Checker',
    detection: 'Password Spray',
    weight: 9,
    technique: technique('T1110.003', 'Brute Force: Password Spraying', 'credentialAccess'),
    category: ['authentication', 'iam'],
    type: ['start', 'denied'],
    sensor: SENSORS.signIn,
    build: ({ random, attacker: from }) => {
      const targets = random.some(PEOPLE, random.integer(9, 16));
      const attempts = targets.length * random.integer(2, 5);
      return {
        message: `${attempts} failed sign-ins to ${targets.length} accounts from ${from.ip} (${from.country}) within 10 minutes`,
        outline: {
          threat: from.ip,
          target: `${targets.length} accounts of ${COMPANY.domain}`,
          indicators: [from.ip, ...targets.slice(0, 3).map(mailAddress)],
          summary: 'One address tries few passwords against many accounts',
        },
        score: random.decimal(45, 70),
        severity: 5,
        action: 'sign-in',
        outcome: 'failure',
        fields: {
          source: externalFields(from),
          related: { ip: [from.ip], user: targets.map((person) => person.username) },
          user_agent: { original: 'BAV2ROPC', name: 'BAV2ROPC' },
        },
        raw: {
          operationName: 'Sign-in activity',
          ipAddress: from.ip,
          clientAppUsed: 'Authenticated SMTP',
          resultType: '50126',
          failureReason: 'Invalid username or password.',
          attempts,
          users: targets.map(mailAddress),
        },
      };
    },
  },
  {
    analytic: 'Password Checker',
    detection: 'Brute Force Success',
    weight: 3,
    technique: technique('T1110.001', 'Brute Force: Password Guessing', 'credentialAccess'),
    category: ['authentication'],
    type: ['start', 'allowed'],
    sensor: SENSORS.firewall,
    build: ({ random, attacker: from, workstation: { owner } }) => {
      const failures = random.integer(38, 260);
      const gateway = server('mcm-vpn01');
      return {
        message: `VPN login of ${owner.username} from ${from.ip} (${from.country}) succeeded after ${failures} failures`,
        outline: {
          threat: from.ip,
          target: mailAddress(owner),
          indicators: [from.ip, owner.username],
          summary: 'Guessed VPN password',
        },
        score: random.decimal(78, 94),
        severity: 8,
        action: 'globalprotect-login',
        outcome: 'success',
        fields: {
          source: externalFields(from),
          destination: { ip: gateway.ip, port: 443 },
          user: userFields(owner),
          host: hostFields(gateway),
          network: { direction: 'inbound', protocol: 'tls', transport: 'tcp' },
          related: { ip: [from.ip, gateway.ip], user: [owner.username], hosts: [gateway.name] },
        },
        raw: {
          type: 'GLOBALPROTECT',
          eventid: 'gateway-auth',
          status: 'success',
          srcuser: owner.username,
          public_ip: from.ip,
          failures,
        },
      };
    },
  },
  {
    analytic: 'Password Checker',
    detection: 'Impossible Travel',
    weight: 7,
    technique: VALID_ACCOUNTS,
    category: ['authentication'],
    type: ['start', 'allowed'],
    sensor: SENSORS.signIn,
    build: ({ random, attacker: from, workstation }) => {
      const { owner } = workstation;
      const minutes = random.integer(14, 95);
      return {
        message: `${owner.name} signed in from Montréal and ${minutes} minutes later from ${from.country}`,
        outline: {
          threat: from.ip,
          target: mailAddress(owner),
          indicators: [from.ip, workstation.ip, mailAddress(owner)],
          summary: `Sign-ins ${minutes} minutes and an ocean apart`,
        },
        score: random.decimal(40, 72),
        severity: 5,
        action: 'sign-in',
        outcome: 'success',
        fields: {
          source: externalFields(from),
          user: userFields(owner),
          azure: { upn: mailAddress(owner) },
          related: { ip: [from.ip, workstation.ip], user: [owner.username] },
          user_agent: {
            original: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/129.0 Safari/537.36',
            name: 'Chrome',
          },
        },
        raw: {
          operationName: 'Sign-in activity',
          userPrincipalName: mailAddress(owner),
          ipAddress: from.ip,
          location: { countryOrRegion: from.countryCode },
          previous: {
            ipAddress: '192.0.2.130',
            location: { countryOrRegion: 'CA', city: 'Montreal' },
            minutesBefore: minutes,
          },
          mfaDetail: random.pick([
            'satisfied by claim in the token',
            'MFA requirement skipped due to remembered device',
          ]),
        },
      };
    },
  },
  {
    analytic: 'Password Checker',
    detection: 'MFA Fatigue',
    weight: 4,
    technique: technique('T1621', 'Multi-Factor Authentication Request Generation', 'credentialAccess'),
    category: ['authentication'],
    type: ['start'],
    sensor: SENSORS.signIn,
    build: ({ random, attacker: from, workstation: { owner } }) => {
      const prompts = random.integer(11, 34);
      const approved = random.chance(0.3);
      return {
        message: `${prompts} MFA prompts to ${owner.name} within 15 minutes${approved ? ', the last one approved' : ', none approved'}`,
        outline: {
          threat: from.ip,
          target: mailAddress(owner),
          indicators: [from.ip, mailAddress(owner)],
          summary: approved ? 'Prompt approved after a flood of requests' : 'Flood of prompts, not approved',
        },
        score: approved ? random.decimal(82, 95) : random.decimal(48, 63),
        severity: approved ? 9 : 5,
        action: 'mfa-prompt',
        outcome: approved ? 'success' : 'failure',
        fields: {
          source: externalFields(from),
          user: userFields(owner),
          azure: { upn: mailAddress(owner) },
          related: { ip: [from.ip], user: [owner.username] },
        },
        raw: {
          userPrincipalName: mailAddress(owner),
          ipAddress: from.ip,
          authenticationMethod: 'Mobile app notification',
          prompts,
          approved,
        },
      };
    },
  },
];
