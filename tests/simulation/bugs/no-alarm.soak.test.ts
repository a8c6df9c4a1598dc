import { describeNoAlarm } from "./no-alarm.ts";

describeNoAlarm({ seeds: 10_000, firstSeed: 1_000, minutes: 4 });
