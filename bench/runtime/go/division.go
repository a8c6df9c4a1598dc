package main

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var groupVersion = schema.GroupVersion{Group: "bench.levelset.dev", Version: "v1"}

// Division is the kind that all contestants reconcile.
type Division struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              DivisionSpec   `json:"spec"`
	Status            DivisionStatus `json:"status,omitempty"`
}

// DivisionSpec says what to divide.
type DivisionSpec struct {
	Dividend int32 `json:"dividend"`
	Divisor  int32 `json:"divisor"`
}

// DivisionStatus says what came of it.
type DivisionStatus struct {
	Quotient           *int32             `json:"quotient,omitempty"`
	Remainder          *int32             `json:"remainder,omitempty"`
	ObservedGeneration int64              `json:"observedGeneration,omitempty"`
	Conditions         []metav1.Condition `json:"conditions,omitempty"`
}

// DivisionList is a list of Divisions.
type DivisionList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Division `json:"items"`
}

// DeepCopyObject copies a Division.
func (d *Division) DeepCopyObject() runtime.Object {
	out := &Division{TypeMeta: d.TypeMeta, Spec: d.Spec, Status: d.Status}
	d.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	out.Status.Quotient = copied(d.Status.Quotient)
	out.Status.Remainder = copied(d.Status.Remainder)
	out.Status.Conditions = append([]metav1.Condition(nil), d.Status.Conditions...)
	return out
}

// DeepCopyObject copies a list of Divisions.
func (l *DivisionList) DeepCopyObject() runtime.Object {
	out := &DivisionList{TypeMeta: l.TypeMeta, Items: make([]Division, len(l.Items))}
	l.ListMeta.DeepCopyInto(&out.ListMeta)
	for i := range l.Items {
		out.Items[i] = *l.Items[i].DeepCopyObject().(*Division)
	}
	return out
}

func copied(value *int32) *int32 {
	if value == nil {
		return nil
	}
	out := *value
	return &out
}
