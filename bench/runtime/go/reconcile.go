package main

import (
	"context"

	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type reconciler struct {
	client client.Client
}

// Reconcile brings the status of one Division to its spec: one guarded write if something changed, none otherwise.
func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	var division Division
	if err := r.client.Get(ctx, request.NamespacedName, &division); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	before := division.DeepCopyObject().(*Division)
	divide(&division)
	if equality.Semantic.DeepEqual(before.Status, division.Status) {
		return ctrl.Result{}, nil
	}
	patch := client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{})
	return ctrl.Result{}, r.client.Status().Patch(ctx, &division, patch)
}

func divide(division *Division) {
	ready := metav1.Condition{
		Type:               "Ready",
		Status:             metav1.ConditionTrue,
		Reason:             "Divided",
		ObservedGeneration: division.Generation,
	}
	status := &division.Status
	status.ObservedGeneration = division.Generation
	if spec := division.Spec; spec.Divisor == 0 {
		ready.Status, ready.Reason = metav1.ConditionFalse, "DivisionByZero"
		status.Quotient, status.Remainder = nil, nil
	} else {
		quotient, remainder := spec.Dividend/spec.Divisor, spec.Dividend%spec.Divisor
		status.Quotient, status.Remainder = &quotient, &remainder
	}
	meta.SetStatusCondition(&status.Conditions, ready)
}
