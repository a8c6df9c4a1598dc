import { describeNoAlarm } from "./no-alarm.ts";

describeNoAlarm({ seeds: 40 });
