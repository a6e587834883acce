import { coordinationConformance } from '../conformance/index.ts';
import { redisSubject } from './conformance-subjects.ts';

coordinationConformance(redisSubject());
