import { sourceConformance } from '../conformance/index.ts';
import { HTTP_SUBJECT } from './conformance-subject.ts';

sourceConformance(HTTP_SUBJECT);
