import { fileStorageConformance } from '../conformance/index.ts';
import { s3Subject } from './conformance-subject.ts';

fileStorageConformance(s3Subject());
fileStorageConformance(s3Subject('kept/files/'));
