import { attacker } from '../organisation.ts';
import { type Detection, SENSORS, technique, VALID_ACCOUNTS } from './scenario.ts';
import { externalFields } from './scene-fields.ts';

/** Events in the accounts of cloud providers. */
export const CLOUD_SCENARIOS: readonly Detection[] = [
  {
    analytic: 'Cloud Guard',
    detection: 'Root Console Login',
    weight: 2,
    technique: VALID_ACCOUNTS,
    category: ['authentication'],
    type: ['start', 'allowed'],
    sensor: SENSORS.cloud,
    build: ({ random }) => {
      const from = attacker('vpn-exit-31.example');
      return {
        message: `Root user signed in to the AWS console without MFA from ${from.ip} (${from.country})`,
        outline: {
          threat: from.ip,
          target: 'AWS account 210987654321',
          indicators: [from.ip, '210987654321'],
          summary: 'Root login without MFA',
        },
        score: random.decimal(85, 97),
        severity: 9,
        action: 'ConsoleLogin',
        outcome: 'success',
        fields: {
          source: externalFields(from),
          user: { name: 'root', id: '210987654321' },
          cloud: { provider: 'aws', region: 'ca-central-1', service: { name: 'signin' } },
          aws: { account: { id: '210987654321', name: 'maplecrest-prod' } },
          related: { ip: [from.ip], user: ['root'] },
        },
        raw: {
          eventName: 'ConsoleLogin',
          userIdentity: { type: 'Root', accountId: '210987654321' },
          sourceIPAddress: from.ip,
          additionalEventData: { MFAUsed: 'No' },
        },
      };
    },
  },
  {
    analytic: 'Cloud Guard',
    detection: 'Public Bucket',
    weight: 4,
    technique: technique('T1530', 'Data from Cloud Storage', 'collection'),
    category: ['configuration'],
    type: ['change'],
    sensor: SENSORS.cloud,
    build: ({ random }) => {
      const bucket = random.pick([
        'maplecrest-claims-scans',
        'maplecrest-marketing-assets',
        'maplecrest-db-exports',
        'maplecrest-terraform-state',
      ]);
      const role = random.pick(['terraform-ci', 'psingh', 'klindqvist']);
      return {
        message: `${role} made the bucket ${bucket} publicly readable`,
        outline: {
          threat: role,
          target: `s3://${bucket}`,
          indicators: [bucket, role],
          summary: 'Bucket policy allows anonymous reads',
        },
        score: random.decimal(38, 66),
        severity: 6,
        action: 'PutBucketPolicy',
        outcome: 'success',
        fields: {
          user: { name: role },
          cloud: { provider: 'aws', region: 'ca-central-1', service: { name: 's3' } },
          aws: { account: { id: '210987654321', name: 'maplecrest-prod' } },
          related: { user: [role] },
        },
        raw: {
          eventName: 'PutBucketPolicy',
          requestParameters: {
            bucketName: bucket,
            policy: { Effect: 'Allow', Principal: '*', Action: 's3:GetObject' },
          },
          userIdentity: { userName: role },
        },
      };
    },
  },
  {
    analytic: 'Cloud Guard',
    detection: 'Access Key From New Country',
    weight: 3,
    technique: VALID_ACCOUNTS,
    category: ['iam', 'authentication'],
    type: ['access'],
    sensor: SENSORS.cloud,
    build: ({ random, attacker: from }) => {
      const key = `AKIA${random.hex(16).toUpperCase()}`;
      const calls = random.integer(22, 340);
      return {
        message: `Access key ${key.slice(0, 8)}… of ci-deploy used from ${from.country} for the first time, ${calls} calls`,
        outline: {
          threat: from.ip,
          target: 'ci-deploy',
          indicators: [from.ip, key],
          summary: 'CI key used outside of the build network',
        },
        score: random.decimal(64, 88),
        severity: 7,
        action: 'ListBuckets',
        outcome: 'success',
        fields: {
          source: externalFields(from),
          user: { name: 'ci-deploy', id: key },
          cloud: { provider: 'aws', region: 'ca-central-1', service: { name: 's3' } },
          aws: { account: { id: '210987654321', name: 'maplecrest-prod' } },
          related: { ip: [from.ip], user: ['ci-deploy'] },
          user_agent: { original: 'Boto3/1.34.11 Python/3.11', name: 'Boto3' },
        },
        raw: {
          eventName: 'ListBuckets',
          userIdentity: { userName: 'ci-deploy', accessKeyId: key },
          sourceIPAddress: from.ip,
          calls,
        },
      };
    },
  },
];
