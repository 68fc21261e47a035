export { seededRandom as randomFrom } from '../model/seeded-random.js';
