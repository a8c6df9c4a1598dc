import assert from "node:assert/strict";
import { expectError } from "../suite/case-response.ts";
import { group } from "../suite/case.ts";
import type { Case } from "../suite/case.ts";
import { match } from "../suite/match.ts";
import { workload } from "../suite/objects.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/u;

/** Results and validation of create requests. */
export const CREATE: readonly Case[] = group("create", "requests", [
  [
    "a create returns 201 and the object with type, uid, creationTimestamp and resourceVersion",
    "API conventions: metadata",
    async (t) => {
      const response = await t.create("configmaps", { metadata: { name: "a" }, data: { k: "v" } });
      response.expectStatus(201).expectShape({
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: {
          name: "a",
          namespace: t.namespace,
          uid: UUID,
          creationTimestamp: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/u,
          resourceVersion: /^[1-9]\d*$/u,
          generation: undefined,
          selfLink: undefined,
        },
        data: { k: "v" },
      });
    },
  ],
  [
    "uid, creationTimestamp, generation and deletion fields of the request are ignored",
    "apiserver: rest.FillObjectMetaSystemFields",
    async (t) => {
      const metadata = {
        name: "a",
        uid: "11111111-1111-4111-8111-111111111111",
        creationTimestamp: "2001-01-01T00:00:00Z",
        deletionTimestamp: "2001-01-01T00:00:00Z",
        deletionGracePeriodSeconds: 7,
        generation: 42,
        selfLink: "/x",
      };
      const response = await t.create("deployments", { metadata, spec: workload("a") });
      response.expectShape({
        metadata: {
          generation: 1,
          deletionTimestamp: undefined,
          deletionGracePeriodSeconds: undefined,
          selfLink: undefined,
        },
      });
      assert.notEqual(response.at("metadata.uid"), metadata.uid);
      assert.notEqual(response.at("metadata.creationTimestamp"), metadata.creationTimestamp);
    },
  ],
  [
    "a resourceVersion in the request is rejected",
    "apiserver: registry store, create",
    async (t) => {
      await expectError(t.create("configmaps", { metadata: { name: "a", resourceVersion: "5" } }), 500, "", {
        message: /resourceVersion should not be set on objects to be created/u,
      });
    },
  ],
  [
    "a second create of the same name returns AlreadyExists",
    "apimachinery: errors.NewAlreadyExists",
    async (t) => {
      await t.create("configmaps", { metadata: { name: "a" } });
      await expectError(t.create("configmaps", { metadata: { name: "a" } }), 409, "AlreadyExists", {
        message: 'configmaps "a" already exists',
        details: { name: "a", kind: "configmaps" },
      });
    },
  ],
  [
    "generateName gets a suffix of five letters and digits",
    "API conventions: generateName",
    async (t) => {
      const response = await t.create("configmaps", { metadata: { generateName: "run-" } });
      response.expectShape({ metadata: { name: /^run-[bcdfghjklmnpqrstvwxz2456789]{5}$/u, generateName: "run-" } });
    },
  ],
  [
    "a long generateName is truncated so that the name fits",
    "apiserver: names.SimpleNameGenerator",
    async (t) => {
      const response = await t.create("configmaps", { metadata: { generateName: "x".repeat(80) } });
      match(response.at("metadata.name"), /^x{58}[a-z0-9]{5}$/u);
    },
  ],
  [
    "a name takes precedence over generateName",
    "API conventions: generateName",
    async (t) => {
      (await t.create("configmaps", { metadata: { name: "a", generateName: "b-" } })).expectShape({
        metadata: { name: "a", generateName: "b-" },
      });
    },
  ],
  [
    "an object without name and generateName is invalid",
    "apimachinery: validation.ValidateObjectMeta",
    async (t) => {
      await expectError(t.create("configmaps", { metadata: {} }), 422, "Invalid", {
        causes: ["metadata.name: FieldValueRequired"],
        message: /name or generateName is required/u,
      });
    },
  ],
  [
    "a name that is not a DNS subdomain is invalid, with a cause",
    "docs: object names, DNS subdomain",
    async (t) => {
      const response = await expectError(t.create("configmaps", { metadata: { name: "Bad_Name" } }), 422, "Invalid", {
        causes: ["metadata.name: FieldValueInvalid"],
        details: { name: "Bad_Name", kind: "ConfigMap" },
      });
      response.expectShape({
        message:
          "ConfigMap \"Bad_Name\" is invalid: metadata.name: Invalid value: \"Bad_Name\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      });
    },
  ],
  [
    "a name longer than 253 characters is invalid",
    "docs: object names, DNS subdomain",
    async (t) => {
      await expectError(t.create("configmaps", { metadata: { name: "x".repeat(254) } }), 422, "Invalid", {
        causes: ["metadata.name: FieldValueInvalid"],
      });
    },
  ],
  [
    "the name of a role may be any path segment",
    "docs: object names, path segment",
    async (t) => {
      (await t.create("roles", { metadata: { name: "system:Some_Role" }, rules: [] })).expectStatus(201);
      await expectError(t.create("roles", { metadata: { name: "a/b" }, rules: [] }), 422, "Invalid", {
        causes: ["metadata.name: FieldValueInvalid"],
      });
    },
  ],
  [
    "labels and annotations are validated, each with a cause",
    "docs: labels, syntax and character set",
    async (t) => {
      const metadata = { name: "a", labels: { "bad key!": "x", ok: "not ok!" }, annotations: { "a/b/c": "x" } };
      await expectError(t.create("configmaps", { metadata }), 422, "Invalid", {
        causes: ["metadata.labels: FieldValueInvalid", "metadata.annotations: FieldValueInvalid"],
      });
    },
  ],
  [
    "annotations of more than 256 KiB are too long",
    "apimachinery: validation.TotalAnnotationSizeLimitB",
    async (t) => {
      const metadata = { name: "a", annotations: { big: "x".repeat(262_145) } };
      await expectError(t.create("configmaps", { metadata }), 422, "Invalid", {
        causes: ["metadata.annotations: FieldValueTooLong"],
      });
    },
  ],
  [
    "finalizers must be qualified names",
    "apimachinery: validation.ValidateFinalizerName",
    async (t) => {
      await expectError(
        t.create("configmaps", { metadata: { name: "a", finalizers: ["example.com/not ok"] } }),
        422,
        "Invalid",
        {
          causes: ["metadata.finalizers: FieldValueInvalid"],
        },
      );
    },
  ],
  [
    "owner references need kind, name and uid",
    "apimachinery: validation.ValidateOwnerReferences",
    async (t) => {
      const ownerReferences = [{ apiVersion: "v1", kind: "", name: "", uid: "" }];
      await expectError(t.create("configmaps", { metadata: { name: "a", ownerReferences } }), 422, "Invalid", {
        causes: [
          "metadata.ownerReferences.kind: FieldValueInvalid",
          "metadata.ownerReferences.name: FieldValueInvalid",
          "metadata.ownerReferences.uid: FieldValueInvalid",
        ],
      });
    },
  ],
  [
    "only one owner may be the controller",
    "apimachinery: validation.ValidateOwnerReferences",
    async (t) => {
      const owner = (name: string): object => ({
        apiVersion: "v1",
        kind: "ConfigMap",
        name,
        uid: name,
        controller: true,
      });
      await expectError(
        t.create("configmaps", { metadata: { name: "a", ownerReferences: [owner("x"), owner("y")] } }),
        422,
        "Invalid",
        {
          causes: ["metadata.ownerReferences: FieldValueInvalid"],
        },
      );
    },
  ],
  [
    "status of the request is dropped",
    "API conventions: spec and status",
    async (t) => {
      const response = await t.create("deployments", {
        metadata: { name: "a" },
        spec: workload("a"),
        status: { replicas: 9 },
      });
      response.expectShape({ status: { replicas: undefined } });
    },
  ],
  [
    "apiVersion and kind may be omitted",
    "apiserver: create handler decodes with the resource's default kind",
    async (t) => {
      const response = await t.send("POST", "configmaps", { body: { metadata: { name: "a" } } });
      response.expectStatus(201).expectShape({ kind: "ConfigMap", apiVersion: "v1" });
    },
  ],
  [
    "an object of another kind is a bad request",
    "apiserver: create handler",
    async (t) => {
      const body = { apiVersion: "v1", kind: "Secret", metadata: { name: "a" } };
      await expectError(t.send("POST", "configmaps", { body }), 400, "BadRequest", {
        message: /the object provided is unrecognized|in version "v1" cannot be handled as a ConfigMap/u,
      });
    },
  ],
  [
    "an object of another version is a bad request",
    "apiserver: create handler",
    async (t) => {
      const body = { apiVersion: "apps/v1beta1", kind: "Deployment", metadata: { name: "a" }, spec: workload("a") };
      await expectError(t.send("POST", "deployments", { body }), 400, "BadRequest", {
        message: /does not match the expected API version|no kind "Deployment" is registered/u,
      });
    },
  ],
  [
    "an object of another namespace is a bad request",
    "apiserver: rest.EnsureObjectNamespaceMatchesRequestNamespace",
    async (t) => {
      await expectError(t.create("configmaps", { metadata: { name: "a", namespace: "default" } }), 400, "BadRequest", {
        message: "the namespace of the provided object does not match the namespace sent on the request",
      });
    },
  ],
  [
    "a missing namespace is not found",
    "apiserver: NamespaceLifecycle admission",
    async (t) => {
      const path = `/api/v1/namespaces/${t.unique("absent")}/configmaps`;
      await expectError(t.create(path, { metadata: { name: "a" } }), 404, "NotFound", {
        message: `namespaces "${t.unique("absent")}" not found`,
        details: { kind: "namespaces" },
      });
    },
  ],
  [
    "a dry run returns the same response and does not store the object",
    "docs: dry-run",
    async (t) => {
      (await t.create("configmaps", { metadata: { name: "a" } }, { dryRun: "All" }))
        .expectStatus(201)
        .expectShape({ metadata: { name: "a", uid: UUID } });
      await expectError(t.get("configmaps/a"), 404, "NotFound");
      await t.create("configmaps", { metadata: { name: "b" } });
      await expectError(t.create("configmaps", { metadata: { name: "b" } }, { dryRun: "All" }), 409, "AlreadyExists");
      await expectError(t.create("configmaps", { metadata: { name: "B" } }, { dryRun: "All" }), 422, "Invalid");
    },
  ],
  [
    "an unknown dryRun is invalid",
    "apimachinery: validation.ValidateDryRun",
    async (t) => {
      await expectError(t.create("configmaps", { metadata: { name: "a" } }, { dryRun: "Some" }), 422, "Invalid", {
        causes: ["dryRun: FieldValueNotSupported"],
        message:
          'CreateOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["Some"]: supported values: "All"',
      });
    },
  ],
  [
    "a fieldManager with line breaks or of 129 characters is invalid",
    "apimachinery: validation.ValidateFieldManager",
    async (t) => {
      await expectError(
        t.create("configmaps", { metadata: { name: "a" } }, { fieldManager: "x".repeat(129) }),
        422,
        "Invalid",
        {
          causes: ["fieldManager: FieldValueTooLong"],
        },
      );
      await expectError(t.create("configmaps", { metadata: { name: "a" } }, { fieldManager: "a\nb" }), 422, "Invalid", {
        causes: ["fieldManager: FieldValueInvalid"],
      });
    },
  ],
  [
    "objects may be sent as YAML",
    "apimachinery: serializers, application/yaml",
    async (t) => {
      const body = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  k: |\n    two\n    lines\n";
      const response = await t.send("POST", "configmaps", { body, headers: { "content-type": "application/yaml" } });
      response.expectStatus(201).expectShape({ data: { k: "two\nlines\n" } });
    },
  ],
  [
    "a create at the path of an object is not allowed",
    "apiserver: routes of named objects",
    async (t) => {
      await t.create("configmaps", { metadata: { name: "a" } });
      await expectError(
        t.send("POST", "configmaps/a", { body: { metadata: { name: "a" } } }),
        405,
        "MethodNotAllowed",
        {
          message: "the server does not allow this method on the requested resource",
        },
      );
    },
  ],
]);
